import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findsAll } from './finds-all.ts'

describe('findsAll', () => {
  test('each word of the text begins a word of the label', () => {
    assert.ok(findsAll('Working hours', 'hours wor'))
    assert.ok(!findsAll('Working hours', 'orking'))
    assert.ok(!findsAll('Working hours', 'working days'))
  })

  test('accents and case do not matter', () => {
    assert.ok(findsAll('Ședințe', 'sedinte'))
    assert.ok(findsAll('Setari', 'SETĂ'))
  })

  test('an empty text finds everything', () => {
    assert.ok(findsAll('Today', ''))
  })
})
