import { decrypt, encrypt, isKey, newDataKey, OVERHEAD_BYTES, SecretError } from './aes.ts'
import { isKeyId, type Keyring } from './keyring.ts'

// Envelope: format version (1 byte) · length of key id (1) · key id · wrapped data key (61) · ciphertext.
// A wrapped key alone is the same envelope with no ciphertext. The key id and the place are associated data
// of the wrapped key, the place also of the ciphertext: an envelope moved to another row, or given another
// key id, does not open.
const VERSION = 1
const WRAPPED_KEY_BYTES = 32 + OVERHEAD_BYTES

/** Where a value is stored. A value can be opened only in the place it was sealed for. */
export type Place = { table: string; column: string; organization_id: string | null; row: string }

export type SecretBox = {
  seal(plaintext: Buffer | string, place: Place): Buffer
  open(sealed: Buffer, place: Place): Buffer
  wrapKey(dataKey: Buffer, place: Place): Buffer
  unwrapKey(wrapped: Buffer, place: Place): Buffer
  /** Accepts sealed values and wrapped keys; the content does not change. */
  rewrap(sealed: Buffer, place: Place): Buffer
  keyIdOf(sealed: Buffer): string
}

type Envelope = { keyId: string; wrapped: Buffer; content: Buffer }
type KeyPurpose = 'key of a value' | 'key'

export function createSecretBox({ keys, currentKeyId }: Keyring): SecretBox {
  const keyring = new Map(Object.entries(keys).map(([id, key]) => [id, copyOfKey(id, key)]))
  if (!keyring.has(currentKeyId)) throw new SecretError('The current key id is not in the keyring.')

  function keyOf(keyId: string): Buffer {
    const key = keyring.get(keyId)
    if (!key) throw new SecretError(`The value is sealed under key "${keyId}", which is not in the keyring.`)
    return key
  }

  function wrap(dataKey: Buffer, purpose: KeyPurpose, place: Place): Buffer {
    const wrapped = encrypt(keyOf(currentKeyId), dataKey, keyContext(purpose, currentKeyId, place))
    return Buffer.concat([Buffer.of(VERSION, currentKeyId.length), Buffer.from(currentKeyId), wrapped])
  }

  function unwrap({ keyId, wrapped }: Envelope, purpose: KeyPurpose, place: Place): Buffer {
    return decrypt(keyOf(keyId), wrapped, keyContext(purpose, keyId, place))
  }

  return {
    seal(plaintext, place) {
      const dataKey = newDataKey()
      const content = encrypt(dataKey, plaintext, valueContext(place))
      return Buffer.concat([wrap(dataKey, 'key of a value', place), content])
    },
    open(sealed, place) {
      const envelope = readEnvelope(sealed)
      return decrypt(unwrap(envelope, 'key of a value', place), envelope.content, valueContext(place))
    },
    wrapKey(dataKey, place) {
      if (!isKey(dataKey)) throw new SecretError('A key must be 32 bytes long.')
      return wrap(dataKey, 'key', place)
    },
    unwrapKey(wrapped, place) {
      const envelope = readEnvelope(wrapped)
      if (envelope.content.length > 0) throw new SecretError('This is not a wrapped key.')
      return unwrap(envelope, 'key', place)
    },
    rewrap(sealed, place) {
      const envelope = readEnvelope(sealed)
      const purpose = envelope.content.length > 0 ? 'key of a value' : 'key'
      return Buffer.concat([wrap(unwrap(envelope, purpose, place), purpose, place), envelope.content])
    },
    keyIdOf: (sealed) => readEnvelope(sealed).keyId,
  }
}

// JSON arrays, because joined strings are ambiguous: ("a", "bc") and ("ab", "c") must differ, as must null and "null".
function valueContext({ table, column, organization_id, row }: Place): string {
  return JSON.stringify(['value', table, column, organization_id, row])
}

function keyContext(purpose: KeyPurpose, keyId: string, { table, column, organization_id, row }: Place): string {
  return JSON.stringify([purpose, keyId, table, column, organization_id, row])
}

function readEnvelope(sealed: Buffer): Envelope {
  if (!Buffer.isBuffer(sealed) || sealed[0] !== VERSION) {
    throw new SecretError('The sealed value has an unknown format version.')
  }
  const keyIdEnd = 2 + (sealed[1] ?? 0)
  const wrappedEnd = keyIdEnd + WRAPPED_KEY_BYTES
  if (sealed.length < wrappedEnd) throw new SecretError('The sealed value is too short.')
  const keyId = sealed.toString('latin1', 2, keyIdEnd)
  if (!isKeyId(keyId)) throw new SecretError('The sealed value names no valid key id.')
  return { keyId, wrapped: sealed.subarray(keyIdEnd, wrappedEnd), content: sealed.subarray(wrappedEnd) }
}

function copyOfKey(id: string, key: Buffer): Buffer {
  if (!isKeyId(id)) throw new SecretError('A key id must be 1 to 32 letters, digits, ".", "_" or "-".')
  if (!isKey(key)) throw new SecretError('A key must be 32 bytes long.')
  return Buffer.from(key)
}
