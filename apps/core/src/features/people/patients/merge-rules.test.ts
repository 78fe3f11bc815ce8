import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Linking, mergeOutcome, type RecordToLink } from './merge-rules.ts'

const NOW = '2026-11-18T10:00:00.000Z'
const RECORD: RecordToLink = { deleted_at: null, erased_at: null, restricted_at: null, merged_into_id: null }
const linking = (changes: Partial<Linking> = {}): Linking => ({
  records: [RECORD, RECORD],
  isBeingErased: false,
  isMain: false,
  humanIds: [null, null],
  ...changes,
})
const second = (changes: Partial<RecordToLink>) => linking({ records: [RECORD, { ...RECORD, ...changes }] })

describe('linking two records of one person', () => {
  test('links records that nobody or one person has claimed', () => {
    assert.equal(mergeOutcome(linking()), 'merged')
    assert.equal(mergeOutcome(linking({ humanIds: ['a', null, 'a'] })), 'merged')
  })

  test('linking two records of one person finds no record that is missing, deleted or erased', () => {
    assert.equal(mergeOutcome(linking({ records: [RECORD] })), null)
    assert.equal(mergeOutcome(second({ deleted_at: NOW })), null)
    assert.equal(mergeOutcome(second({ erased_at: NOW })), null)
  })

  test('linking two records of one person refuses restricted records, records that are being erased and records of different people', () => {
    assert.equal(mergeOutcome(second({ restricted_at: NOW })), 'restricted')
    assert.equal(mergeOutcome(linking({ isBeingErased: true })), 'being_erased')
    assert.equal(mergeOutcome(linking({ humanIds: ['a', 'b'] })), 'different_people')
  })

  test('linking two records of one person refuses a second level: a record that is linked, or that others are linked to', () => {
    assert.equal(mergeOutcome(second({ merged_into_id: 'c' })), 'linked')
    assert.equal(mergeOutcome(linking({ isMain: true })), 'linked')
  })
})
