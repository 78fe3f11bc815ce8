import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const find = (pattern: string) => globSync(pattern, { cwd: root, exclude: (path) => path.includes('node_modules') })

describe('references in documents', () => {
  const documents = [...find('*.md'), ...find('docs/**/*.md'), ...find('apps/*/README.md')]

  test('every relative link leads to a file or folder', () => {
    const broken = documents.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    )
    assert.deepEqual(broken, [])
  })

  test('every test that the specification pages name exists', () => {
    const sources = new Map<string, string>()
    for (const path of find('{apps,packages,scripts}/**/*.test.ts'))
      sources.set(basename(path), (sources.get(basename(path)) ?? '') + read(path))
    const named = find('docs/spec/*.md').flatMap((path) =>
      [...read(path).matchAll(/`([\w./-]+\.test\.ts)`((?:[ ,]*(?:and )?“[^”]+”)*)/g)].map((match) => ({
        path,
        file: basename(match[1] ?? ''),
        tests: [...(match[2] ?? '').matchAll(/“([^”]+)”/g)].map((test) => (test[1] ?? '').replace(/[ ,]*…$/, '')),
      })),
    )
    const missing = named.flatMap(({ path, file, tests }) => {
      const source = sources.get(file)
      if (source === undefined) return [`${path}: ${file}`]
      return tests.filter((name) => !source.includes(name)).map((name) => `${path}: ${file} “${name}”`)
    })
    assert.ok(named.length > 100)
    assert.deepEqual(missing, [])
  })

  test('ARCHITECTURE.md lists every package, app and area, and docs/spec/README.md every page', () => {
    const architecture = read('ARCHITECTURE.md')
    for (const folder of ['packages', 'apps'])
      for (const { name } of readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) =>
        entry.isDirectory(),
      ))
        assert.match(architecture, new RegExp(`^  ${name}/ `, 'm'), `${folder}/${name}`)
    for (const area of readdirSync(join(root, 'apps/core/src/features')))
      assert.ok(architecture.includes(`| \`${area}\` |`), area)
    const index = read('docs/spec/README.md')
    for (const page of find('docs/spec/*.md').filter((path) => !path.endsWith('README.md')))
      assert.ok(index.includes(`(${basename(page)})`), page)
  })
})
