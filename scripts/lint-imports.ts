// Checks every file against the table of what may import what (scripts/lint-imports/rooms.ts).
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { checkFile } from './lint-imports/check.ts'

const root = join(import.meta.dirname, '..')
const files = globSync(['apps/**/*.ts', 'packages/**/*.ts', 'scripts/**/*.ts', 'bench/**/*.ts'], {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
})
  .map((file) => file.split(sep).join('/'))
  .sort()

const problems = files.flatMap((file) =>
  checkFile(file, readFileSync(join(root, file), 'utf8')).map(({ line, message }) => `${file}:${line} ${message}`),
)
for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${problems.length} broken import rules.`)
process.exit(problems.length === 0 ? 0 : 1)
