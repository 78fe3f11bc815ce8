import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { anyText } from '@tendon/testing'
import * as fc from 'fast-check'
import {
  blindIndex,
  createSecretBox,
  decrypt,
  encrypt,
  newDataKey,
  type Place,
  parseKeyring,
  SecretError,
} from './index.ts'

const oldKey = newDataKey()
const newKey = newDataKey()
const before = createSecretBox({ keys: { old: oldKey }, currentKeyId: 'old' })
const during = createSecretBox({ keys: { old: oldKey, new: newKey }, currentKeyId: 'new' })
const afterwards = createSecretBox({ keys: { new: newKey }, currentKeyId: 'new' })

const home: Place = { table: 'integrations', column: 'token', organization_id: 'o-1', row: 'r-1' }
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
const text = anyText(20)
const place: fc.Arbitrary<Place> = fc.record({
  table: text,
  column: text,
  organization_id: fc.option(text),
  row: text,
})

function changed(buffer: Buffer, at: number, mask: number): Buffer {
  const copy = Buffer.from(buffer)
  copy.writeUInt8(copy.readUInt8(at) ^ mask, at)
  return copy
}

test('a sealed value can be opened in its place', () => {
  fc.assert(
    fc.property(bytes, place, (plaintext, place) => {
      assert.deepEqual(before.open(before.seal(plaintext, place), place), plaintext)
      assert.deepEqual(decrypt(oldKey, encrypt(oldKey, plaintext, place.row), place.row), plaintext)
    }),
  )
  assert.equal(before.open(before.seal('parolă ș ț', home), home).toString(), 'parolă ș ț')
})

test('the same value sealed twice looks different', () => {
  assert.notDeepEqual(before.seal('x', home), before.seal('x', home))
})

test('a value copied to any other place cannot be opened', () => {
  fc.assert(
    fc.property(place, place, (here, there) => {
      fc.pre(JSON.stringify(Object.values(here)) !== JSON.stringify(Object.values(there)))
      assert.throws(() => before.open(before.seal('secret', here), there), SecretError)
      assert.throws(() => before.unwrapKey(before.wrapKey(newKey, here), there), SecretError)
      assert.throws(() => before.rewrap(before.seal('secret', here), there), SecretError)
    }),
  )
  for (const part of ['table', 'column', 'organization_id', 'row'] as const) {
    assert.throws(() => before.open(before.seal('secret', home), { ...home, [part]: 'other' }), SecretError, part)
  }
})

test('places that look alike when joined are different', () => {
  const pairs: [Partial<Place>, Partial<Place>][] = [
    [
      { table: 'ab', column: 'c' },
      { table: 'a', column: 'bc' },
    ],
    [
      { table: 'a","b', column: 'c' },
      { table: 'a', column: 'b","c' },
    ],
    [{ organization_id: null }, { organization_id: 'null' }],
    [{ organization_id: null }, { organization_id: '' }],
    [{ row: '\ud800' }, { row: '\ufffd' }],
  ]
  for (const [here, there] of pairs) {
    const sealed = before.seal('secret', { ...home, ...here })
    assert.throws(() => before.open(sealed, { ...home, ...there }), SecretError)
  }
})

test('a change of any bit of any byte is refused', () => {
  const sealed = during.seal('a secret', home)
  const wrapped = during.wrapKey(newDataKey(), home)
  for (let bit = 0; bit < 8; bit++) {
    for (let at = 0; at < sealed.length; at++) {
      assert.throws(() => during.open(changed(sealed, at, 1 << bit), home), SecretError)
    }
    for (let at = 0; at < wrapped.length; at++) {
      assert.throws(() => during.unwrapKey(changed(wrapped, at, 1 << bit), home), SecretError)
    }
  }
})

test('a value cut short or made longer is refused', () => {
  const sealed = before.seal('a secret', home)
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => before.open(sealed.subarray(0, length), home), SecretError)
    assert.throws(() => before.unwrapKey(sealed.subarray(0, length), home), SecretError)
  }
  assert.throws(() => before.open(Buffer.concat([sealed, Buffer.of(0)]), home), SecretError)
})

test('a tag cut to 4 bytes is refused', () => {
  const sealed = encrypt(oldKey, 'a secret of some length', 'context')
  const cut = Buffer.concat([sealed.subarray(0, -16), sealed.subarray(-16, -12)])
  assert.throws(() => decrypt(oldKey, cut, 'context'), SecretError)
})

test('rotation: a rewrapped value opens without the old key, its content unchanged', () => {
  fc.assert(
    fc.property(bytes, place, (plaintext, place) => {
      const sealed = before.seal(plaintext, place)
      const rewrapped = during.rewrap(sealed, place)
      assert.equal(during.keyIdOf(sealed), 'old')
      assert.equal(during.keyIdOf(rewrapped), 'new')
      assert.deepEqual(afterwards.open(rewrapped, place), plaintext)
      assert.deepEqual(rewrapped.subarray(-plaintext.length - 29), sealed.subarray(-plaintext.length - 29))
    }),
  )
  const dataKey = newDataKey()
  assert.deepEqual(afterwards.unwrapKey(during.rewrap(before.wrapKey(dataKey, home), home), home), dataKey)
})

test('an unknown key id is an error that names the key', () => {
  const sealed = before.seal('secret', home)
  for (const use of [() => afterwards.open(sealed, home), () => afterwards.rewrap(sealed, home)]) {
    assert.throws(use, { name: 'SecretError', message: /key "old", which is not in the keyring/ })
  }
})

test('the same key under another id does not open a value', () => {
  const twice = createSecretBox({ keys: { aaa: oldKey, bbb: oldKey }, currentKeyId: 'aaa' })
  const sealed = twice.seal('secret', home)
  sealed.write('bbb', 2)
  assert.equal(twice.keyIdOf(sealed), 'bbb')
  assert.throws(() => twice.open(sealed, home), SecretError)
})

test('the data key of a sealed value cannot be extracted as a wrapped key', () => {
  const header = before.seal('', home).subarray(0, -29)
  assert.throws(() => before.unwrapKey(header, home), SecretError)
})

test('errors contain neither plaintext nor key', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (seed, mask) => {
      const plaintext = 'canary-4711'
      const sealed = before.seal(plaintext, home)
      let caught: unknown
      try {
        before.open(changed(sealed, seed % sealed.length, mask), home)
      } catch (error) {
        caught = error
      }
      assert.ok(caught instanceof SecretError)
      assert.equal(caught.cause, undefined)
      const seen = inspect(caught, { depth: 9, showHidden: true })
      for (const secret of [plaintext, oldKey.toString('base64'), oldKey.toString('hex'), inspect(oldKey)]) {
        assert.ok(!seen.includes(secret))
      }
    }),
  )
})

test('a box refuses keys of the wrong length, bad ids and a missing current key', () => {
  assert.throws(() => createSecretBox({ keys: { a: Buffer.alloc(16) }, currentKeyId: 'a' }), SecretError)
  assert.throws(() => createSecretBox({ keys: { 'ä b': oldKey }, currentKeyId: 'ä b' }), SecretError)
  assert.throws(() => createSecretBox({ keys: { a: oldKey }, currentKeyId: 'b' }), SecretError)
  assert.throws(() => createSecretBox({ keys: {}, currentKeyId: 'constructor' }), SecretError)
  assert.throws(() => before.wrapKey(Buffer.alloc(31), home), SecretError)
})

test('a keyring is parsed from text, the first key is current', () => {
  const keyring = parseKeyring(` 2026.2:${newKey.toString('base64')}, 2026.1:${oldKey.toString('base64')} `)
  assert.deepEqual(keyring, { keys: { '2026.2': newKey, '2026.1': oldKey }, currentKeyId: '2026.2' })
  assert.equal(parseKeyring(`9:${newKey.toString('base64')},1:${oldKey.toString('base64')}`).currentKeyId, '9')
})

test('an invalid keyring is refused without repeating any of it', () => {
  const key = oldKey.toString('base64')
  const faulty = [
    ' ',
    key,
    `:${key}`,
    `a:${key},`,
    `a:${key}:${key}`,
    `${key}:a`,
    `a:${key},a:${key}`,
    `a:${key.slice(0, -1)}`,
    `a:${key.slice(4)}`,
    `a:${key}AAAA`,
    `a:${'A'.repeat(42)}B=`,
    `a:!${key.slice(1)}`,
    `__proto__:${key}`,
    `${'a'.repeat(33)}:${key}`,
  ]
  for (const text of faulty) {
    assert.throws(
      () => parseKeyring(text),
      (error: Error) => error instanceof SecretError && !error.message.includes(key.slice(4, 12)),
    )
  }
})

test('a blind index is the same for the same value and key, and differs by key, place and organization', () => {
  const at = { table: 't', column: 'c', organization_id: 'o' }
  const index = blindIndex('k', at, 'value')
  assert.deepEqual(index, blindIndex('k', { ...at }, 'value'))
  assert.equal(index.length, 32)
  const others = [
    blindIndex('l', at, 'value'),
    blindIndex('k', at, 'values'),
    blindIndex('k', { ...at, organization_id: 'p' }, 'value'),
    blindIndex('k', { ...at, table: 'u' }, 'value'),
    blindIndex('k', { table: 'tc', column: '', organization_id: 'o' }, 'value'),
  ]
  assert.equal(new Set([index, ...others].map((one) => one.toString('hex'))).size, others.length + 1)
})
