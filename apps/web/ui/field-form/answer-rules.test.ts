import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FormQuestion } from '@tendon/sdk'
import { requiredProgress } from './answer-rules.ts'

const FIELDS: FormQuestion[] = [
  { key: 'pain', type: 'number', label: 'Pain', required: true, max: 10 },
  { key: 'photo', type: 'file', label: 'Photo', required: true },
  { key: 'note', type: 'text', label: 'Note' },
]

const answered = (pain: unknown, more: { stored?: unknown; files?: string[]; refused?: string[] } = {}) => {
  const { stored, files = [], refused = [] } = more
  const given = { values: { field_pain: pain }, files: new Set(files), stored: { field_pain: stored }, refused }
  const progress = requiredProgress(FIELDS, given)
  assert.equal(progress.total, 2)
  return progress.answered
}

describe('the progress of a form', () => {
  test('an answer counts once it is stored, and while it is changed', () => {
    assert.equal(answered(3), 0)
    assert.equal(answered(3, { stored: 3 }), 1)
    assert.equal(answered(4, { stored: 3 }), 1)
    assert.equal(answered(undefined, { stored: 3 }), 0)
  })

  test('an answer that cannot be stored does not count', () => {
    assert.equal(answered('abc'), 0)
    assert.equal(answered('abc', { stored: 3 }), 0)
    assert.equal(answered(11, { stored: 3 }), 0)
    assert.equal(answered(4, { stored: 3, refused: ['field_pain'] }), 0)
  })

  test('a file counts once it is uploaded', () => {
    assert.equal(answered(3, { stored: 3, files: ['field_photo'] }), 2)
  })
})
