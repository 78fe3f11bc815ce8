import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { describe, test } from 'node:test'

// An export says that other files depend on it. Without this check, nobody dares to change what nobody else uses.

const root = join(import.meta.dirname, '..')

/** apps/web is not checked yet. Each contract is a component of the OpenAPI document by its exported name. The rest is generated. */
const UNCHECKED = /^apps\/web\/|^packages\/contracts\/|^packages\/db\/src\/types\.ts$|\.gen\.ts$/
const DECLARED = /^export (?:async )?(?:const|let|function\*?|(?:abstract )?class|interface|type) (\w+)/gm
const NAMESPACE = /import \* as \w+ from '([^']+)'/g

/** "file: name" of each export whose name occurs in no other file. A file that is imported as a whole may be read by name. */
function ownExports(sources: ReadonlyMap<string, string>): string[] {
  const files = new Map<string, number>()
  const whole = new Set<string>()
  for (const source of sources.values()) {
    for (const word of new Set(source.match(/[A-Za-z_$][\w$]*/g))) files.set(word, (files.get(word) ?? 0) + 1)
    for (const [, path = ''] of source.matchAll(NAMESPACE)) whole.add(basename(path))
  }
  return [...sources]
    .filter(([file]) => !UNCHECKED.test(file) && !whole.has(basename(file)))
    .flatMap(([file, source]) =>
      [...source.matchAll(DECLARED)]
        .filter(([, name = '']) => files.get(name) === 1)
        .map(([, name]) => `${file}: ${name}`),
    )
}

describe('exports', () => {
  test('exports are used by another file', () => {
    const paths = globSync('{apps,packages,scripts,bench}/**/*.{ts,tsx,mjs}', {
      cwd: root,
      exclude: (name) => name.includes('node_modules'),
    })
    assert.ok(paths.length > 1_000)
    const sources = paths.map((path): [string, string] => [
      path.split(sep).join('/'),
      readFileSync(join(root, path), 'utf8'),
    ])
    assert.deepEqual(ownExports(new Map(sources)), [], 'Remove `export`, or the declaration if nothing uses it.')
  })

  test('exports are found by their names', () => {
    const sources = new Map([
      ['a.ts', 'export const used = 1\nexport interface Own {}\nexport async function own() {}\n'],
      ['b.ts', "import { used } from './a.ts'\nimport * as all from './c.ts'\n"],
      ['c.ts', 'export const readByName = 1\n'],
      ['apps/web/d.ts', 'export const page = 1\n'],
    ])
    assert.deepEqual(ownExports(sources), ['a.ts: Own', 'a.ts: own'])
  })
})
