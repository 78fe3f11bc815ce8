import { randomBytes } from 'node:crypto'
import { type Configuration, errors, type Grant, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { claimsOf, type Directory } from './accounts.ts'
import { createMemoryStore } from './memory-store.ts'
import { CONTENT_SECURITY_POLICY, noticePage, signOutPage } from './pages.ts'
import type { SigningKey } from './signing-keys.ts'
import { ACCESS_TOKEN_TTL_SECONDS, SCOPES, WEB_CLIENT_ID } from './web-client.ts'

const SIGN_IN_TTL_SECONDS = 60 * 60
const SESSION_TTL_SECONDS = 14 * 24 * 60 * 60
/** A resource must be a URI, an audience need not be one: tokens for this resource carry the configured audience. */
const API_RESOURCE = 'urn:tendon:api'

export interface ProviderConfig {
  issuer: string
  audience: string
  webOrigins: readonly string[]
  redirectUris?: readonly string[]
  /** Told when somebody signs out here. */
  logoutUrl?: string
}

export function createProvider(config: ProviderConfig, key: SigningKey, directory: Directory): Provider {
  const redirectUris = [...config.webOrigins.map((origin) => `${origin}/auth/callback`), ...(config.redirectUris ?? [])]
  const allowedOrigins = new Set(redirectUris.map((uri) => new URL(uri).origin).filter((origin) => origin !== 'null'))

  const configuration: Configuration = {
    adapter: createMemoryStore(),
    jwks: { keys: [key] },
    clients: [
      {
        client_id: WEB_CLIENT_ID,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        id_token_signed_response_alg: 'RS256',
        redirect_uris: redirectUris,
        post_logout_redirect_uris: config.webOrigins.flatMap((origin) => [
          origin,
          ...['', 'console/', 'portal/', 'platform/'].map((path) => `${origin}/${path}`),
        ]),
        ...(config.logoutUrl === undefined
          ? {}
          : { backchannel_logout_uri: config.logoutUrl, backchannel_logout_session_required: true }),
      },
    ],
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: SCOPES,
    // The web reads name and e-mail from the ID token: it has no other use for a token.
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    clientBasedCORS: (_ctx, origin) => allowedOrigins.has(origin),
    cookies: {
      // Cookie names of our own, because cookies ignore the port; new keys at every start, because sessions end with
      // the process.
      names: {
        session: 'tendon_identity',
        interaction: 'tendon_identity_sign_in',
        resume: 'tendon_identity_resume',
      },
      keys: [randomBytes(32).toString('base64url')],
    },
    features: {
      devInteractions: { enabled: false },
      // Every access token is for the API; none is accepted by the userinfo endpoint of this provider.
      userinfo: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => API_RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (resource !== API_RESOURCE) throw new errors.InvalidTarget()
          return {
            scope: SCOPES.join(' '),
            audience: config.audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: ACCESS_TOKEN_TTL_SECONDS,
            jwt: { sign: { alg: 'RS256' } },
          }
        },
      },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => showPage(ctx, signOutPage(form)),
        postLogoutSuccessSource: (ctx) =>
          showPage(ctx, noticePage('Signed out', 'You are signed out.', config.webOrigins)),
      },
    },
    findAccount(_ctx, subject) {
      const account = directory.find(subject)
      return account && { accountId: subject, claims: () => ({ sub: subject, ...claimsOf(account) }) }
    },
    extraTokenClaims(_ctx, token) {
      const account = 'accountId' in token ? directory.find(token.accountId) : undefined
      return account && claimsOf(account)
    },
    loadExistingGrant: grantEverything,
    // A browser app requests no `offline_access`; its refresh token ends with the session.
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: {
      AccessToken: ACCESS_TOKEN_TTL_SECONDS,
      AuthorizationCode: 60,
      IdToken: ACCESS_TOKEN_TTL_SECONDS,
      Interaction: SIGN_IN_TTL_SECONDS,
      RefreshToken: SESSION_TTL_SECONDS,
      Session: SESSION_TTL_SECONDS,
      Grant: SESSION_TTL_SECONDS,
    },
    renderError: (ctx, { error, error_description }) =>
      showPage(ctx, noticePage('This did not work', error_description ?? error, config.webOrigins)),
  }
  return new Provider(config.issuer, configuration)
}

/** The web app is our own: no consent page. */
async function grantEverything(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { account, client, provider, session } = ctx.oidc
  if (!account || !client) return undefined
  const grantId = session?.grantIdFor(client.clientId)
  const existing = grantId ? await provider.Grant.find(grantId) : undefined
  const grant = existing ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  grant.addOIDCScope(SCOPES.join(' '))
  grant.addResourceScope(API_RESOURCE, SCOPES.join(' '))
  await grant.save()
  return grant
}

function showPage(ctx: KoaContextWithOIDC, html: string): void {
  ctx.set('content-security-policy', CONTENT_SECURITY_POLICY)
  ctx.type = 'html'
  ctx.body = html
}
