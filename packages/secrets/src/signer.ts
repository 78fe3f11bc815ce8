import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Keyring } from './keyring.ts'

export interface Signature {
  key_id: string
  /** HMAC-SHA256 in hexadecimal digits. */
  signature: string
}

export interface Signer {
  sign(text: string): Signature
  /** False for another text, another purpose, or a key that is not in the keyring. */
  isSigned(text: string, signature: Signature): boolean
}

/** Signs with a key that is derived for one purpose from the current key of the keyring. Older keys still verify. */
export function createSigner({ keys, currentKeyId }: Keyring, purpose: string): Signer {
  function digest(keyId: string, text: string): Buffer | undefined {
    const key = Object.hasOwn(keys, keyId) ? keys[keyId] : undefined
    if (key === undefined) return undefined
    const derived = hkdfSync('sha256', key, '', `tendon signature: ${purpose}`, 32)
    return createHmac('sha256', Buffer.from(derived)).update(text).digest()
  }
  return {
    sign: (text) => ({ key_id: currentKeyId, signature: digest(currentKeyId, text)?.toString('hex') ?? '' }),
    isSigned(text, { key_id, signature }) {
      const wanted = digest(key_id, text)
      const given = Buffer.from(signature, 'hex')
      return wanted !== undefined && wanted.length === given.length && timingSafeEqual(wanted, given)
    },
  }
}
