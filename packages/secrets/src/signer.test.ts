import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSigner, newDataKey } from './index.ts'

describe('a signer', () => {
  const keys = { old: newDataKey(), new: newDataKey() }
  const before = createSigner({ keys: { old: keys.old }, currentKeyId: 'old' }, 'tests')
  const after = createSigner({ keys, currentKeyId: 'new' }, 'tests')

  test('verifies its own signatures, and those of older keys of the keyring', () => {
    assert.ok(before.isSigned('text', before.sign('text')))
    assert.ok(after.isSigned('text', before.sign('text')))
    assert.equal(after.sign('text').key_id, 'new')
  })

  test('a signer refuses another text, purpose, key or length', () => {
    const signed = after.sign('text')
    assert.ok(!after.isSigned('other', signed))
    assert.ok(!createSigner({ keys, currentKeyId: 'new' }, 'other').isSigned('text', signed))
    assert.ok(!before.isSigned('text', signed))
    assert.ok(!after.isSigned('text', { ...signed, key_id: 'old' }))
    assert.ok(!after.isSigned('text', { ...signed, key_id: 'constructor' }))
    assert.ok(!after.isSigned('text', { ...signed, signature: signed.signature.slice(2) }))
    assert.ok(!after.isSigned('text', { ...signed, signature: '' }))
  })
})
