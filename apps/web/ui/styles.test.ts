import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const WEB = join(import.meta.dirname, '..')
const SHEETS = join(WEB, '../../node_modules/@mantine/core/styles')
const sheets = new Set(globSync('*.layer.css', { cwd: SHEETS }).map((name) => name.replace('.layer.css', '')))
/** Components whose look is another one's sheet. */
const OTHER_SHEET: Record<string, string[]> = {
  TextInput: ['Input'],
  Textarea: ['Input'],
  NativeSelect: ['Input'],
  FileInput: ['Input'],
  Select: ['Input', 'Combobox'],
  MultiSelect: ['Input', 'Combobox', 'PillsInput', 'Pill'],
  Autocomplete: ['Input', 'Combobox'],
  TagsInput: ['Input', 'Combobox', 'PillsInput', 'Pill'],
}

const sheetsIn = (source: string) =>
  [...source.matchAll(/@mantine\/core\/styles\/(\w+)\.layer\.css/g)].map(([, name = '']) => name)

describe('style sheets of Mantine', () => {
  const frame = new Set(sheetsIn(readFileSync(join(WEB, 'ui/styles.ts'), 'utf8')))
  const files = globSync('{ui,console,portal,platform}/**/*.tsx', { cwd: WEB })
  test('a file that uses a component imports its sheet, unless the frame has it', () => {
    const missing = files.flatMap((file) => {
      const source = readFileSync(join(WEB, file), 'utf8')
      const own = new Set(sheetsIn(source))
      const used = /import \{([^}]*)\} from '@mantine\/core'/.exec(source)?.[1] ?? ''
      return used
        .split(',')
        .map((name) => name.trim().replace(/^type .*/, ''))
        .flatMap((name) => OTHER_SHEET[name] ?? [name])
        .filter((name) => sheets.has(name) && !frame.has(name) && !own.has(name))
        .map((name) => `${file}: import '@mantine/core/styles/${name}.layer.css'`)
    })
    assert.deepEqual(missing, [])
  })
})
