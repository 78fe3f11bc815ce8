import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { SecretBox } from '@tendon/secrets'
import { LRUCache } from 'lru-cache'

// Two signatures. `X-Webhook-Signature`, from the specification, uses the whole text of the secret as key. The three
// headers of Standard Webhooks use the decoded bytes after `whsec_`, and also sign the id and the time.

const PREFIX = 'whsec_'
const HINT_LENGTH = 4

export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64')
export const hintOf = (secret: string): string => `…${secret.slice(-HINT_LENGTH)}`

type SecretColumn = 'secret_encrypted' | 'previous_secret_encrypted'
interface Owner {
  organization_id: string
  uid: string
}

const placeOf = ({ organization_id, uid }: Owner, column: SecretColumn) => ({
  table: 'webhook_subscriptions',
  column,
  organization_id,
  row: uid,
})

export const sealSecret = (box: SecretBox, of: Owner, secret: string, column: SecretColumn = 'secret_encrypted') =>
  box.seal(secret, placeOf(of, column))
export const openSecret = (box: SecretBox, of: Owner, sealed: Buffer, column: SecretColumn = 'secret_encrypted') =>
  box.open(sealed, placeOf(of, column)).toString()

/** The keys of one secret, for the header of the specification and for Standard Webhooks. */
export interface SigningKeys {
  whole: KeyObject
  standard: KeyObject
}

export const signingKeysOf = (secret: string): SigningKeys => ({
  whole: createSecretKey(Buffer.from(secret)),
  standard: createSecretKey(Buffer.from(secret.slice(PREFIX.length), 'base64')),
})

export type OpenSigningKeys = (of: Owner, sealed: Buffer, column?: SecretColumn) => SigningKeys

const MAX_OPENED = 1_000

/** Opens a sealed secret once. The cache key is the encrypted bytes, which change with a rotation. */
export function createSigningKeys(box: SecretBox): OpenSigningKeys {
  const opened = new LRUCache<string, SigningKeys>({ max: MAX_OPENED })
  return (of, sealed, column = 'secret_encrypted') => {
    const key = `${of.organization_id} ${of.uid} ${column} ${sealed.toString('base64')}`
    const known = opened.get(key)
    if (known) return known
    const keys = signingKeysOf(openSecret(box, of, sealed, column))
    opened.set(key, keys)
    return keys
  }
}

export interface Signed {
  id: string
  body: Uint8Array
  at: Date
  /** Newest first. */
  keys: readonly [SigningKeys, ...SigningKeys[]]
}

export function signatureHeaders({ id, body, at, keys }: Signed): Record<string, string> {
  const [current, previous] = keys
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const standard = keys.map(
    (key) => `v1,${createHmac('sha256', key.standard).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  )
  return {
    'x-webhook-signature': digestOf(current, body),
    ...(previous === undefined ? {} : { 'x-webhook-signature-previous': digestOf(previous, body) }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  }
}

const digestOf = ({ whole }: SigningKeys, body: Uint8Array) =>
  `sha256=${createHmac('sha256', whole).update(body).digest('hex')}`
