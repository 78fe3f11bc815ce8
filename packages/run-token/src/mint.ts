import { createSecretKey, type KeyObject } from 'node:crypto'
import { type Keyring, parseKeyring } from '@tendon/secrets'
import { SignJWT } from 'jose'
import { AUDIENCE, type Claims, ISSUER, PREFIX, RUN_TOKEN_LIFETIME_SECONDS, type Run } from './token.ts'

export interface RunTokenKeys {
  /** The key that signs; the others still verify. */
  current: string
  keys: ReadonlyMap<string, KeyObject>
}

export interface MintedToken {
  token: string
  expiresAt: Date
}

/**
 * Reads RUN_TOKEN_KEYS: `id:base64,id:base64`. The first key signs, all verify. To rotate, add a new key at the front.
 */
export function parseRunTokenKeys(text: string): RunTokenKeys {
  const { keys, currentKeyId }: Keyring = parseKeyring(text, 'RUN_TOKEN_KEYS')
  return {
    current: currentKeyId,
    keys: new Map(Object.entries(keys).map(([id, key]) => [id, createSecretKey(key)])),
  }
}

export async function mintRunToken({ current, keys }: RunTokenKeys, run: Run, now: Date): Promise<MintedToken> {
  const key = keys.get(current)
  if (!key) throw new Error('The current key of run tokens is not among the keys.')
  const iat = Math.floor(now.getTime() / 1000)
  const claims: Claims = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: run.patientId,
    iat,
    exp: iat + RUN_TOKEN_LIFETIME_SECONDS,
    run_id: run.runId,
    org_id: run.organizationId,
    patient_id: run.patientId,
    consents: { pose: run.pose },
  }
  const jwt = await new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: current }).sign(key)
  return { token: `${PREFIX}${jwt}`, expiresAt: new Date(claims.exp * 1000) }
}
