import { SecretError } from './aes.ts'

export type Keyring = { keys: Record<string, Buffer>; currentKeyId: string }

const KEY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/
const KEY_IN_BASE64 = /^[A-Za-z0-9+/]{43}=$/

export function isKeyId(text: string): boolean {
  return KEY_ID.test(text)
}

/**
 * Reads `kid1:base64key,kid2:base64key`; the first key is the current one. Errors name an entry only by its position,
 * because a misplaced colon can turn the key into the "id".
 */
export function parseKeyring(text: string, setting = 'KEYRING'): Keyring {
  if (text.trim() === '') throw new SecretError(`${setting} is empty: give at least one "id:base64key".`)
  const keys = new Map<string, Buffer>()
  for (const [index, entry] of text.split(',').entries()) {
    const refuse = (why: string) => new SecretError(`${setting} entry ${index + 1}: ${why}`)
    const [id, encoded, ...rest] = entry.trim().split(':')
    if (id === undefined || encoded === undefined || rest.length > 0) throw refuse('must have the form "id:base64key".')
    if (!isKeyId(id)) throw refuse('the id must be 1 to 32 letters, digits, ".", "_" or "-".')
    if (keys.has(id)) throw refuse('its id is used twice.')
    const key = Buffer.from(encoded, 'base64')
    // Node ignores characters that are not base64, so compare with what it decoded.
    if (!KEY_IN_BASE64.test(encoded) || key.toString('base64') !== encoded) {
      throw refuse('the key must be 32 bytes in base64 (44 characters, for example from "openssl rand -base64 32").')
    }
    keys.set(id, key)
  }
  const [currentKeyId = ''] = keys.keys()
  return { keys: Object.fromEntries(keys), currentKeyId }
}
