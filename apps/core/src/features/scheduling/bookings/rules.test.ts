import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APPOINTMENT_STATUSES } from '@tendon/contracts'
import { type Addresses, isUnanswered, readableReason, recipientOf } from './rules.ts'

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

describe('rules of mails about appointments', () => {
  const booked: Addresses = {
    booker: { email: 'booker@mail.example', language: 'ro' },
    has_patient: false,
    is_reachable: true,
    record_email: null,
    record_language: null,
    account_email: null,
    account_language: null,
    clinic_language: 'en',
  }
  const linked: Addresses = { ...booked, has_patient: true, record_email: 'typed@mail.example', record_language: 'ro' }
  const claimed: Addresses = { ...linked, account_email: 'account@mail.example', account_language: 'en' }

  test('a booking without a patient is about the booker, in the language of the booking', () => {
    assert.deepEqual(recipientOf(booked), { to_address: 'booker@mail.example', language: 'ro' })
    assert.equal(recipientOf({ ...booked, booker: null }), undefined)
  })

  test('a patient gets mail at the address of the account, otherwise at that of the record, never at the booker’s', () => {
    assert.deepEqual(recipientOf(claimed), { to_address: 'account@mail.example', language: 'en' })
    assert.deepEqual(recipientOf(linked), { to_address: 'typed@mail.example', language: 'ro' })
    assert.equal(recipientOf({ ...linked, record_email: null }), undefined)
  })

  test('nobody gets mail about a visit of a deleted patient that was not cancelled with the record', () => {
    assert.equal(recipientOf({ ...claimed, is_reachable: false }), undefined)
  })

  test('who chose no language gets the one of the clinic', () => {
    assert.equal(recipientOf({ ...claimed, account_language: null })?.language, 'ro')
    assert.equal(recipientOf({ ...linked, record_language: null })?.language, 'en')
    assert.equal(recipientOf({ ...booked, booker: { email: 'booker@mail.example' } })?.language, 'en')
  })
})
