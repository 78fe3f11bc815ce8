import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const WEB = join(import.meta.dirname, '../..')

describe('icons', () => {
  test('every icon is used by a page', () => {
    const icons = readFileSync(join(import.meta.dirname, 'index.ts'), 'utf8').matchAll(/^export const (Icon\w+)/gm)
    const pages = globSync('{ui,console,portal,platform}/**/*.{ts,tsx}', { cwd: WEB }).filter(
      (file) => file !== 'ui/icons/index.ts',
    )
    const used = new Set(pages.flatMap((file) => readFileSync(join(WEB, file), 'utf8').match(/\bIcon[A-Z]\w*/g) ?? []))
    assert.deepEqual(
      [...icons].map(([, name = '']) => name).filter((name) => !used.has(name)),
      [],
    )
  })
})
