import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { searchedText } from './rules.ts'

describe('rules of the search', () => {
  test('text that looks like a phone number is searched for by its last nine digits', () => {
    for (const q of ['0722 555 010', '+40 722-555.010', '0040 (722) 555/010'])
      assert.equal(searchedText(q), '722555010', q)
    assert.equal(searchedText('722 555'), '722555')
    assert.equal(searchedText('010'), '010')
  })

  test('any other text is searched for as it is', () => {
    for (const q of ['Maria Stan', 'maria 0722', '12', '- -', '4a']) assert.equal(searchedText(q), q)
  })
})
