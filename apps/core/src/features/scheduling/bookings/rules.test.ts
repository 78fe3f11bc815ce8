import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APPOINTMENT_STATUSES } from '@tendon/contracts'
import { isUnanswered, readableReason } from './rules.ts'

describe('rules of bookings without an account', () => {
  const byStaff = { status: 'cancelled', cancelled_by: 'staff', cancellation_reason: 'Ill.', patient_profile_id: 'p' }

  test('a booking is asked about while it stands or has taken place, until somebody says no', () => {
    for (const status of APPOINTMENT_STATUSES) {
      const isAsked = ['pending', 'confirmed', 'checked_in', 'completed'].includes(status)
      assert.equal(isUnanswered({ status, dismissed_by: null }), isAsked, status)
      assert.equal(isUnanswered({ status, dismissed_by: 'somebody' }), false, status)
    }
  })

  test('the reason in a mail is what the clinic wrote to a patient', () => {
    assert.equal(readableReason(byStaff), 'Ill.')
    assert.equal(readableReason({ ...byStaff, cancellation_reason: null }), null)
  })

  for (const [who, change] of Object.entries({
    'a booker without an account': { patient_profile_id: null },
    'a patient who wrote it': { cancelled_by: 'patient' },
    'the patient of a visit that was entered in error': { status: 'entered_in_error' },
    'the patient of a visit that was confirmed again': { status: 'confirmed' },
  }))
    test(`the reason in a mail is left out for ${who}`, () => {
      assert.equal(readableReason({ ...byStaff, ...change }), null)
    })
})
