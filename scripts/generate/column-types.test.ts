import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { JSON_COLUMNS, narrowColumns } from './column-types.ts'

const types = readFileSync(join(import.meta.dirname, '../../packages/db/src/types.ts'), 'utf8')

describe('types of columns', () => {
  test('a text with a list of choices is a union, also with a default and when it may be null', () => {
    assert.match(types, /^ {2}scope: 'platform' \| 'org';$/m)
    assert.match(types, /^ {2}outcome: Generated<'success' \| 'failure'>;$/m)
    assert.match(types, /^ {2}ended_as: 'withdrawn' \| 'superseded' \| 'left' \| 'erased' \| null;$/m)
  })

  test('a JSON column is what its contract says', () => {
    assert.match(types, /^ {2}address: JsonOf<NonNullable<Location\['address'\]>> \| null;$/m)
    assert.match(types, /^ {2}values: Generated<JsonOf<NonNullable<Form\['values'\]>>>;$/m)
  })

  test('a contract for a column that does not exist is refused', () => {
    const [first = ''] = Object.keys(JSON_COLUMNS)
    assert.throws(() => narrowColumns('export interface DB {\n}', []), new RegExp(`There is no column ${first}`))
  })
})
