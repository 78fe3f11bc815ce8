import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownAddress } from './rules.ts'

describe('rules of erasures', () => {
  test('the address of an account is the patient’s, unless the account has another record at the clinic', () => {
    assert.equal(ownAddress({ email: 'account@mail.example', has_other_record: false }), 'account@mail.example')
    assert.equal(ownAddress({ email: 'account@mail.example', has_other_record: true }), null)
  })

  test('without a verified address, no address is the patient’s', () => {
    assert.equal(ownAddress({ email: null, has_other_record: false }), null)
  })
})
