import { isBlank, isLine } from '@tendon/contracts'
import { unavailable } from '@tendon/http'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'

/** What the platform reads of a session token. */
export interface Session {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
  /** Set once this token has brought its human up to date: an address that was not accepted is not offered again. */
  provisioned?: true
}

export interface SessionTokens {
  /** The session behind a token, or undefined when the token is not good (one answer for every cause). */
  verify(token: string): Promise<Session | undefined>
  /** Readiness: throws when the issuer's keys are unavailable. */
  check(): Promise<void>
}

const MAX_TOKEN_BYTES = 8_192
const CACHED_TOKENS = 20_000
const CLOCK_TOLERANCE_SECONDS = 5
const MAX_NAME_LENGTH = 200

interface SessionTokenOptions {
  issuer: string
  audience: string
  jwksUrl: string
  algorithms: readonly string[]
}

/** Verifies JWTs of the identity provider. A verified token is remembered until it expires: its signature cannot change. */
export function createSessionTokens({ issuer, audience, jwksUrl, algorithms }: SessionTokenOptions): SessionTokens {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 3_000, cooldownDuration: 5_000 })
  const verified = new LRUCache<string, Session>({ max: CACHED_TOKENS, ttlAutopurge: false })

  return {
    async verify(token) {
      const known = verified.get(token)
      if (known) return known
      if (token.length > MAX_TOKEN_BYTES) return undefined
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience,
          algorithms: [...algorithms],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          requiredClaims: ['sub', 'exp'],
        })
        const session = sessionOf(payload, issuer)
        const ttl = Number(payload.exp) * 1000 - Date.now()
        if (session && ttl > 0) verified.set(token, session, { ttl })
        return session
      } catch (error) {
        if (isProviderDown(error)) throw unavailable({}, { 'retry-after': '2' })
        return undefined
      }
    },
    async check() {
      const response = await fetch(jwksUrl, { signal: AbortSignal.timeout(3_000) })
      if (!response.ok) throw new Error(`the identity provider answered ${response.status}`)
    },
  }
}

export function sessionOf({ sub, email, email_verified, name }: JWTPayload, issuer: string): Session | undefined {
  if (typeof sub !== 'string' || sub === '' || sub.length > 255 || !isStorable(sub)) return undefined
  const address =
    typeof email === 'string' && email.length <= 254 && email.includes('@') && isStorable(email) ? email : null
  return {
    issuer,
    subject: sub,
    email: address,
    emailVerified: address !== null && email_verified === true && isPlain(address),
    name:
      typeof name === 'string' && isStorable(name) && isLine(name) && !isBlank(name)
        ? name.trim().slice(0, MAX_NAME_LENGTH)
        : null,
  }
}

/**
 * The database compares addresses in lower case, and lower case turns İ into i and the Kelvin sign into k: somebody who
 * owns `clİnic.example` would prove addresses of `clinic.example`. Invitations are plain ASCII, so nobody needs others.
 */
const isPlain = (address: string) => /^[\x21-\x7e]+$/.test(address)

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** The token may be valid, but the keys to verify it could not be fetched. */
function isProviderDown(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout) return true
  if (error instanceof errors.JOSEError) return error.code === 'ERR_JOSE_GENERIC'
  return error instanceof TypeError && error.message === 'fetch failed'
}
