import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { outcomeOf } from './restore.ts'

describe('what becomes of a deletion that somebody undoes', () => {
  test('a row that is not deleted has nothing to restore', () => {
    for (const is_late of [true, false]) assert.equal(outcomeOf({ deleted_at: null, is_late }), 'not_deleted')
  })

  test('a deletion can be undone until it is too old', () => {
    const deleted_at = '2026-03-02T10:00:00Z'
    assert.equal(outcomeOf({ deleted_at, is_late: false }), 'restored')
    assert.equal(outcomeOf({ deleted_at, is_late: true }), 'expired')
  })
})
