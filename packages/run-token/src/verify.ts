import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { RunTokenKeys } from './mint.ts'
import { AUDIENCE, ISSUER, PREFIX, RUN_TOKEN_LIFETIME_SECONDS, type Run } from './token.ts'

const MAX_TOKEN_LENGTH = 2_048
const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]{43})$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Tolerance between the clocks of core and telemetry. It does not extend the expiry. */
const CLOCK_SKEW_SECONDS = 60

export interface VerifiedRun extends Run {
  expiresAt: number
}

/** Returns the content of a valid token, otherwise undefined without a reason. `expiresAt` is in milliseconds. */
export function verifyRunToken(keys: RunTokenKeys, token: string, now: Date): VerifiedRun | undefined {
  if (token.length > MAX_TOKEN_LENGTH || !token.startsWith(PREFIX)) return undefined
  const [, header = '', payload = '', signature = ''] = COMPACT.exec(token.slice(PREFIX.length)) ?? []
  const key = keyOf(keys, decode(header))
  if (!key) return undefined
  // Compared as text: only the canonical encoding of a signature is accepted.
  const wanted = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url')
  if (!timingSafeEqual(Buffer.from(wanted), Buffer.from(signature))) return undefined
  return runOf(decode(payload), now.getTime() / 1000)
}

/** Accepts exactly `alg`, `typ` and `kid`: a header with `crit`, `jku`, `jwk`, `x5u` or anything else is refused. */
function keyOf({ keys }: RunTokenKeys, header: Record<string, unknown> | undefined): KeyObject | undefined {
  if (!header || Object.keys(header).length !== 3) return undefined
  const { alg, typ, kid } = header
  return alg === 'HS256' && typ === 'JWT' && typeof kid === 'string' ? keys.get(kid) : undefined
}

function runOf(claims: Record<string, unknown> | undefined, nowSeconds: number): VerifiedRun | undefined {
  if (!claims) return undefined
  const { iss, aud, sub, iat, exp, run_id, org_id, patient_id, consents } = claims
  if (iss !== ISSUER || aud !== AUDIENCE) return undefined
  if (!isSeconds(iat) || !isSeconds(exp) || exp <= iat || exp - iat > RUN_TOKEN_LIFETIME_SECONDS) return undefined
  if (exp <= nowSeconds || iat > nowSeconds + CLOCK_SKEW_SECONDS) return undefined
  if (!isUuid(sub) || patient_id !== sub || !isUuid(run_id) || !isUuid(org_id)) return undefined
  return { runId: run_id, organizationId: org_id, patientId: sub, pose: posed(consents), expiresAt: exp * 1000 }
}

/** Exactly `true`. */
const posed = (consents: unknown): boolean => isObject(consents) && consents.pose === true

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(segment: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(segment, 'base64url')))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
