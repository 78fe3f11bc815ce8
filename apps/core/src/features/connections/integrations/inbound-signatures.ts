import { createHmac, timingSafeEqual } from 'node:crypto'

// Two forms. The headers of Standard Webhooks sign id, time and body, so a recorded message is worthless after five
// minutes and is a duplicate before. `X-Signature` signs the body only: it authenticates the sender, but a recorded message
// can be sent again. Its id is not used: somebody who recorded a message could give it the id of a later one.

const PREFIX = 'whsec_'
const WINDOW_SECONDS = 300
const WEBHOOK_ID = /^[\x21-\x7e]{1,255}$/
const MAX_SIGNATURES = 10

export type Headers = Readonly<Record<string, string | string[] | undefined>>
type SignatureProblem = 'signature' | 'timestamp'

/** The id of the message that decides about duplicates: one that is signed, or any where nothing has to be signed. */
export const trustedIdIn = (headers: Headers, isVerified: boolean): string | undefined =>
  isVerified && !isStandard(headers) ? undefined : webhookIdIn(headers)

const isStandard = (headers: Headers) => headers['webhook-signature'] !== undefined

const webhookIdIn = ({ 'webhook-id': id }: Headers): string | undefined =>
  typeof id === 'string' && WEBHOOK_ID.test(id) ? id : undefined

export function signatureProblem(
  headers: Headers,
  secret: unknown,
  body: Buffer,
  now: Date,
): SignatureProblem | undefined {
  if (typeof secret !== 'string') return 'signature'
  if (!isStandard(headers))
    return isEqual(headers['x-signature'], `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
      ? undefined
      : 'signature'
  return standardProblem(headers, secret, body, now)
}

function standardProblem(headers: Headers, secret: string, body: Buffer, now: Date): SignatureProblem | undefined {
  const { 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  const id = webhookIdIn(headers)
  if (id === undefined || typeof timestamp !== 'string' || typeof signatures !== 'string') return 'signature'
  // Dots divide id, time and body in what is signed.
  if (id.includes('.') || !/^\d{1,12}$/.test(timestamp)) return 'signature'
  // Secrets from before Standard Webhooks are base64url without a prefix.
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  const given = signatures.split(' ', MAX_SIGNATURES)
  if (!given.some((one) => isEqual(one, expected))) return 'signature'
  return Math.abs(now.getTime() / 1_000 - Number(timestamp)) > WINDOW_SECONDS ? 'timestamp' : undefined
}

function isEqual(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
