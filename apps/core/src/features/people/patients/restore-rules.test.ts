import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DeletedRecord, restoreOutcome } from './restore-rules.ts'

const NOW = '2026-11-18T10:00:00.000Z'
const outcomeOf = (changes: Partial<DeletedRecord>) =>
  restoreOutcome({
    deleted_at: NOW,
    deleted_by_principal_id: 'staff',
    erased_at: null,
    restricted_at: null,
    is_late: false,
    is_being_erased: false,
    ...changes,
  })

describe('restoring a deleted record', () => {
  test('undoes a deletion by staff of the last 30 days', () => {
    assert.equal(outcomeOf({}), 'restored')
    assert.equal(outcomeOf({ deleted_at: null }), 'not_deleted')
    assert.equal(outcomeOf({ is_late: true }), 'expired')
  })

  test('restoring a deleted record never undoes leaving or erasure, not even one that only waits', () => {
    assert.equal(outcomeOf({ deleted_by_principal_id: null }), 'final')
    assert.equal(outcomeOf({ erased_at: NOW }), 'final')
    assert.equal(outcomeOf({ is_being_erased: true, is_late: true }), 'final')
  })

  test('restoring a deleted record waits while processing is restricted', () => {
    assert.equal(outcomeOf({ restricted_at: NOW }), 'restricted')
  })
})
