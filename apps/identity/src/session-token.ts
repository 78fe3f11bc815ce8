import { randomUUID } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { claimsOf, createDirectory, subjectOf } from './accounts.ts'
import { demoAccounts } from './demo-accounts.ts'
import { badEmail } from './refusals.ts'
import { loadSigningKey } from './signing-keys.ts'
import { ACCESS_TOKEN_TTL_SECONDS, SCOPES, WEB_CLIENT_ID } from './web-client.ts'

interface SessionTokenRequest {
  dataDir: string
  issuer: string
  audience: string
  email: string
  name?: string
  emailVerified?: boolean
  /** Negative for an expired token. */
  ttlSeconds?: number
}

/** Creates the access token that the provider would issue to this person after a sign-in. */
export async function mintSessionToken(request: SessionTokenRequest): Promise<string> {
  const account = createDirectory(demoAccounts).signIn(request.email, request.name)
  if (!account) throw badEmail(request.email)
  const key = await loadSigningKey(request.dataDir)
  const issuedAt = Math.floor(Date.now() / 1000)

  return new SignJWT({
    ...claimsOf({ ...account, name: request.name ?? account.name }, request.emailVerified),
    client_id: WEB_CLIENT_ID,
    scope: SCOPES.filter((scope) => scope !== 'offline_access').join(' '),
  })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })
    .setIssuer(request.issuer)
    .setAudience(request.audience)
    .setSubject(subjectOf(account.email))
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + (request.ttlSeconds ?? ACCESS_TOKEN_TTL_SECONDS))
    .sign(await importJWK(key, key.alg))
}
