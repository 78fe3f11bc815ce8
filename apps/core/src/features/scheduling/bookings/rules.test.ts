import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readableReason } from './rules.ts'

describe('the reason of a cancellation in a mail', () => {
  const byStaff = { status: 'cancelled', cancelled_by: 'staff', cancellation_reason: 'Ill.', patient_profile_id: 'p' }

  test('is what the clinic wrote to a patient', () => {
    assert.equal(readableReason(byStaff), 'Ill.')
    assert.equal(readableReason({ ...byStaff, cancellation_reason: null }), null)
  })

  for (const [who, change] of Object.entries({
    'a booker without an account': { patient_profile_id: null },
    'a patient who wrote it': { cancelled_by: 'patient' },
    'the patient of a visit that was entered in error': { status: 'entered_in_error' },
    'the patient of a visit that was confirmed again': { status: 'confirmed' },
  }))
    test(`is left out for ${who}`, () => {
      assert.equal(readableReason({ ...byStaff, ...change }), null)
    })
})
