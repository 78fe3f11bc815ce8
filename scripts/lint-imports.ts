// Checks every file against the table of what may import what (scripts/lint-imports/rooms.ts), and refuses circles.
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { checkFile } from './lint-imports/check.ts'
import { findCircles } from './lint-imports/circles.ts'
import { importsOf } from './lint-imports/source.ts'

const root = join(import.meta.dirname, '..')
const sources = new Map(
  globSync(['apps/**/*.ts', 'apps/**/*.tsx', 'packages/**/*.ts', 'scripts/**/*.ts', 'bench/**/*.ts'], {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  })
    .map((file) => file.split(sep).join('/'))
    .sort()
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)

const broken = [...sources].flatMap(([file, source]) =>
  checkFile(file, source).map(({ line, message }) => `${file}:${line} ${message}`),
)
// Type-only imports count: a circle of types is as hard to read as a circle of values.
const graph = new Map([...sources].map(([file, source]) => [file, importsOf(file, source).map(({ target }) => target)]))
const circles = findCircles(graph).map((files) => `Circle of imports: ${[...files, files[0]].join(' → ')}`)

const problems = [...broken, ...circles]
for (const problem of problems) console.error(problem)
console.log(`${sources.size} files, ${broken.length} broken import rules, ${circles.length} circles.`)
process.exit(problems.length === 0 ? 0 : 1)
