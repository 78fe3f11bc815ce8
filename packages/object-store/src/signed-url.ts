import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignedUrlOptions } from './port.ts'
import { checkContentType, checkDownloadName, checkKey, checkLifetime, isObjectKey } from './rules.ts'

const MIN_SIGNING_KEY_BYTES = 32
export const SIGNED_URL_PATH = '/v1/public/objects/'

export type SigningKey = Buffer | string
/** `path`: the path of the URL, if not that of the objects. */
export type SigningPlace = { publicBaseUrl: string; signingKey: SigningKey; now: Date; path?: string }
type SignedFacts = { method: string; key: string; type: string | undefined; name: string | undefined; expires: string }

export type SignedRequest = {
  signingKey: SigningKey
  method: string
  key: string
  /** The parsed query; a repeated parameter is an array, as with Fastify and node:querystring. */
  query: Readonly<Record<string, unknown>>
  now: Date
}

export type Verdict =
  | { ok: true; contentType: string | undefined; downloadName: string | undefined }
  | { ok: false; reason: 'expired' | 'invalid' }

export function checkSigningKey(signingKey: SigningKey): void {
  if (!signingKey || Buffer.byteLength(signingKey) < MIN_SIGNING_KEY_BYTES) {
    throw new Error(`The signing key of the object store must have at least ${MIN_SIGNING_KEY_BYTES} bytes.`)
  }
}

export function signUrl(
  { publicBaseUrl, signingKey, now, path = SIGNED_URL_PATH }: SigningPlace,
  key: string,
  { method, expiresInSeconds, downloadName: name, contentType: type }: SignedUrlOptions,
): string {
  checkKey(key)
  checkLifetime(expiresInSeconds)
  if (type !== undefined) checkContentType(type)
  if (name !== undefined) checkDownloadName(name)
  const expires = String(Math.floor(now.getTime() / 1000) + expiresInSeconds)
  const query = new URLSearchParams({ expires })
  if (type !== undefined) query.set('type', type)
  if (name !== undefined) query.set('name', name)
  query.set('signature', signatureOf(signingKey, { method, key, type, name, expires }))
  return `${publicBaseUrl.replace(/\/+$/, '')}${path}${key}?${query.toString()}`
}

export function verifySignedUrl({ signingKey, method, key, query, now }: SignedRequest): Verdict {
  checkSigningKey(signingKey)
  const { expires, type, name, signature } = query
  const wellFormed =
    isObjectKey(key) && isText(expires) && isText(signature) && isTextOrAbsent(type) && isTextOrAbsent(name)
  if (!wellFormed || !/^\d{1,12}$/.test(expires)) return { ok: false, reason: 'invalid' }
  const expected = Buffer.from(signatureOf(signingKey, { method, key, type, name, expires }))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { ok: false, reason: 'invalid' }
  if (now.getTime() >= Number(expires) * 1000) return { ok: false, reason: 'expired' }
  return { ok: true, contentType: type, downloadName: name }
}

// A JSON array: joined text would be ambiguous.
function signatureOf(signingKey: SigningKey, { method, key, type, name, expires }: SignedFacts): string {
  const facts = JSON.stringify([method, key, type ?? null, name ?? null, expires])
  return createHmac('sha256', signingKey).update(facts).digest('base64url')
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || isText(value)
}
