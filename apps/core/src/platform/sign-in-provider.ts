import { type Session, sessionOf } from '@tendon/access'
import type { Config } from '@tendon/config'
import { isObject } from '@tendon/contracts'
import { unavailable } from '@tendon/http'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'

/** What the core API asks the identity provider for, as an OpenID Connect client. */
interface SignInProvider {
  /** Where the browser goes to sign in. */
  authorizationUrl(request: AuthorizationRequest): Promise<string>
  /** Exchanges the code for an ID token; undefined when the provider or the token is not valid. */
  redeem(code: string, attempt: SignInAttempt): Promise<SignedIn | undefined>
  /** The URL to sign out at the provider; null when it has none. */
  signOutUrl(returnTo: string): Promise<string | null>
  /** The subject of a back-channel logout token; undefined when it is not valid. */
  readLogoutToken(token: string): Promise<{ subject: string | null; sessionId: string | null } | undefined>
}

interface SignInAttempt {
  verifier: string
  nonce: string
  redirectUri: string
}

interface AuthorizationRequest {
  state: string
  nonce: string
  challenge: string
  redirectUri: string
  /** The address that the provider fills in. It is a hint: the person can change it, and signs in as always. */
  loginHint?: string | undefined
  language?: string | undefined
}

interface SignedIn {
  person: Session
  /** The provider's own session (`sid`). */
  sessionId: string | null
}

interface Metadata {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  end_session_endpoint?: string | null
}

const isMetadata = (value: unknown): value is Metadata =>
  isObject(value) &&
  [value.issuer, value.authorization_endpoint, value.token_endpoint].every((one) => typeof one === 'string') &&
  (value.end_session_endpoint == null || typeof value.end_session_endpoint === 'string')

const METADATA_TTL_MS = 10 * 60_000
const TIMEOUT_MS = 5_000
const MAX_TOKEN_BYTES = 16_384
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

export function createSignInProvider(config: Config): SignInProvider {
  const { issuer, jwksUrl, AUTH_CLIENT_ID: clientId, AUTH_CLIENT_SECRET: clientSecret } = config
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 3_000, cooldownDuration: 5_000 })
  let known: { metadata: Promise<Metadata>; until: number } | undefined

  function metadata(): Promise<Metadata> {
    if (!known || known.until < Date.now()) {
      known = { metadata: readMetadata(issuer), until: Date.now() + METADATA_TTL_MS }
      known.metadata.catch(() => {
        known = undefined
      })
    }
    return known.metadata
  }

  async function verify(token: unknown, requiredClaims: string[]): Promise<JWTPayload | undefined> {
    if (typeof token !== 'string' || token.length > MAX_TOKEN_BYTES) return undefined
    try {
      const options = { issuer, audience: clientId, algorithms: [...config.AUTH_ALGORITHMS], clockTolerance: 5 }
      return (await jwtVerify(token, keys, { ...options, requiredClaims })).payload
    } catch (error) {
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return undefined
      throw unavailable({}, { 'retry-after': '2' })
    }
  }

  return {
    async authorizationUrl({ state, nonce, challenge, redirectUri, loginHint, language }) {
      const url = new URL((await metadata()).authorization_endpoint)
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(loginHint === undefined ? {} : { login_hint: loginHint }),
        ...(language === undefined ? {} : { ui_locales: language }),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    async redeem(code, { verifier, nonce, redirectUri }) {
      const { token_endpoint } = await metadata()
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
        client_id: clientId,
      })
      const basic = `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`
      const headers = { accept: 'application/json', ...(clientSecret === '' ? {} : { authorization: basic }) }
      const response = await ask(token_endpoint, { method: 'POST', body, headers })
      if (!response.ok) return undefined
      const { id_token } = (await response.json().catch(() => ({}))) as { id_token?: unknown }
      const claims = await verify(id_token, ['sub', 'exp', 'iat', 'nonce'])
      if (!claims || claims.nonce !== nonce) return undefined
      // More than one audience: the token was made for another client, which must then be named.
      if (Array.isArray(claims.aud) && claims.aud.length > 1 && claims.azp !== clientId) return undefined
      const person = sessionOf(claims, issuer)
      return person && { person, sessionId: typeof claims.sid === 'string' ? claims.sid : null }
    },
    async signOutUrl(returnTo) {
      const { end_session_endpoint } = await metadata()
      if (end_session_endpoint == null) return null
      const url = new URL(end_session_endpoint)
      url.searchParams.set('client_id', clientId)
      url.searchParams.set('post_logout_redirect_uri', returnTo)
      return url.href
    },
    async readLogoutToken(token) {
      const claims = await verify(token, ['iat', 'jti', 'events'])
      if (!claims || claims.nonce !== undefined) return undefined
      if (!Object.hasOwn(claims.events ?? {}, LOGOUT_EVENT)) return undefined
      const subject = claims.sub ?? null
      const sessionId = typeof claims.sid === 'string' ? claims.sid : null
      return subject === null && sessionId === null ? undefined : { subject, sessionId }
    },
  }
}

async function readMetadata(issuer: string): Promise<Metadata> {
  const response = await ask(`${issuer}/.well-known/openid-configuration`, {})
  const metadata: unknown = await response.json().catch(() => undefined)
  if (!response.ok || !isMetadata(metadata) || metadata.issuer !== issuer) throw unavailable({}, { 'retry-after': '5' })
  return metadata
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch {
    throw unavailable({}, { 'retry-after': '2' })
  }
}
