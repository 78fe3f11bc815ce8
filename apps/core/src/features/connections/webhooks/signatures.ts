import { createHmac, randomBytes } from 'node:crypto'
import type { SecretBox } from '@tendon/secrets'

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

export interface Signed {
  id: string
  body: Uint8Array
  at: Date
  /** Newest first. */
  secrets: readonly [string, ...string[]]
}

export function signatureHeaders({ id, body, at, secrets }: Signed): Record<string, string> {
  const [current, previous] = secrets
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  })
  return {
    'x-webhook-signature': digestOf(current, body),
    ...(previous === undefined ? {} : { 'x-webhook-signature-previous': digestOf(previous, body) }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  }
}

const digestOf = (secret: string, body: Uint8Array) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
