import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** In constant time, whatever the lengths. A token that is missing or given twice is wrong. */
export const isWebhookToken = (secret: string, token: unknown): boolean =>
  timingSafeEqual(digest(secret), digest(typeof token === 'string' ? token : '')) && typeof token === 'string'

/** The host's `X-BunnyStream-Signature`: hex HMAC-SHA256 of the body. */
export function isWebhookSignature(key: string, body: Buffer, signature: unknown): boolean {
  const expected = createHmac('sha256', key).update(body).digest()
  const given = Buffer.from(typeof signature === 'string' ? signature : '', 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
