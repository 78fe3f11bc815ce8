import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressesOf } from './rules.ts'

const ADDRESSES = {
  email: 'typed@mail.example',
  invited_email: 'invited@mail.example',
  account_email: 'account@mail.example',
  has_other_record: false,
}

describe('rules of mails', () => {
  test('mail to the address of an account is the patient’s, unless the account has another record at the clinic', () => {
    assert.deepEqual(addressesOf(ADDRESSES), ['typed@mail.example', 'invited@mail.example', 'account@mail.example'])
    assert.deepEqual(addressesOf({ ...ADDRESSES, has_other_record: true }), [
      'typed@mail.example',
      'invited@mail.example',
    ])
  })

  test('a patient without any address has no mail by address', () => {
    const none = { email: null, invited_email: null, account_email: null }
    assert.deepEqual(addressesOf({ ...none, has_other_record: false }), [])
  })
})
