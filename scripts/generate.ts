// Writes what can be derived: database types, the schema, the API's description and tables. `--check` compares instead.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startSource } from './generate/source.ts'
import { targets } from './generate/targets.ts'

const root = join(import.meta.dirname, '..')
const check = process.argv.includes('--check')

const source = await startSource()
try {
  const stale: string[] = []
  await Promise.all(
    Object.entries(targets).map(async ([path, generate]) => {
      const wanted = await generate(source)
      const file = join(root, path)
      const present = await readFile(file, 'utf8').catch(() => undefined)
      if (present === wanted) return
      stale.push(path)
      if (check) return
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, wanted)
    }),
  )
  report(stale.sort())
} finally {
  await source.close()
}

function report(stale: string[]): void {
  const list = stale.map((path) => `  ${path}`).join('\n')
  if (stale.length === 0) console.log('Every generated file is up to date.')
  else if (!check) console.log(`Written:\n${list}`)
  else {
    console.error(`These files are not up to date. Run "npm run generate" and look at what changes:\n${list}`)
    process.exitCode = 1
  }
}
