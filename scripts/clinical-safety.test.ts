import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const HAZARDS = [
  'Wrong count',
  'Missed warning sign',
  'Unchecked contraindication',
  'Wrong patient',
  'Stale plan',
  'Unread report',
  'Undone status',
]

/** The name is written out, or has one part that a loop fills in: test(`in ${language}`, …). */
const hasTest = (source: string, name: string) =>
  source.includes(`test('${name}',`) ||
  [...source.matchAll(/test\(`([^`$]*)\$\{[^}]+\}([^`$]*)`,/g)].some(
    ([, head = '', tail = '']) =>
      name.length > head.length + tail.length && name.startsWith(head) && name.endsWith(tail),
  )

describe('docs/clinical-safety.md', () => {
  const sections = read('docs/clinical-safety.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ hazard: text.split('\n', 1)[0] ?? '', text }))
  const rows = sections.flatMap(({ hazard, text }) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| Control '))
      .map((line) => {
        const [control = '', where = '', proof = ''] = line.slice(2, -2).split(' | ')
        return { hazard, control, where, proof }
      }),
  )

  test('every hazard has a cause, an effect, controls, and what is not controlled yet', () => {
    assert.deepEqual(sections.map(({ hazard }) => hazard), HAZARDS) // biome-ignore format: one line
    for (const { hazard, text } of sections) {
      for (const part of ['**Cause.** ', '**Effect.** ', '**Not controlled yet.** '])
        assert.ok(text.includes(part), part)
      assert.ok(rows.filter((row) => row.hazard === hazard).length >= 3, hazard)
    }
  })

  test('every file and folder that it names exists', () => {
    const named = [...read('docs/clinical-safety.md').matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map((match) => match[1] ?? '')
    assert.ok(named.length > 60)
    assert.deepEqual(named.filter((path) => !existsSync(join(root, path))), []) // biome-ignore format: one line
  })

  test('every control names a test, by its exact name in its file', () => {
    const missing = rows.flatMap(({ control, proof }) => {
      const tests = [...proof.matchAll(/`([\w./-]+\.(?:test|browser)\.ts)` “((?:[^“”]|“[^“”]*”)+)”/g)]
      if (tests.length === 0) return [`${control}: no test`]
      return tests
        .map((match) => ({ file: match[1] ?? '', name: match[2] ?? '' }))
        .filter(({ file, name }) => !existsSync(join(root, file)) || !hasTest(read(file), name))
        .map(({ file, name }) => `${file} “${name}”`)
    })
    assert.deepEqual(missing, [])
  })

  test('CONTRIBUTING.md asks for a line in it', () => {
    assert.match(read('CONTRIBUTING.md'), /\(docs\/clinical-safety\.md\)/)
  })
})
