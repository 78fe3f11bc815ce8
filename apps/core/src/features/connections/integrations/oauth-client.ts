import * as oauth from 'openid-client'
import { endpointsOf } from '../../../platform/oauth-endpoints.ts'
import type { PlatformProvider } from '../../../platform/platform-providers.ts'
import type { Services } from '../../../services.ts'
import { providerFailure } from './errors.ts'

// OAuth with PKCE as a client of a provider such as Google. Its endpoints come from the platform's provider row
// `oauth_client_<provider>`, else from the known ones. Every request goes through the outbound client.

/** Asks for a refresh token too, as Google and OpenID providers want to be asked. */
const OFFLINE = { access_type: 'offline', prompt: 'consent' }

export interface Tokens {
  access_token: string
  refresh_token?: string
  expires_at: string | null
  scopes: string[]
  account: { id: string; label: string | null } | null
}

/** The provider rejected the grant: the clinic must authorize again. */
export class GrantRejected extends Error {
  override name = 'GrantRejected'
}

/** The provider refused the platform's own credentials (401, 403). */
export class ClientRejected extends Error {
  override name = 'ClientRejected'
}

export async function oauthClientOf(services: Services, provider: string) {
  const row = await services.platformProviders.of(`oauth_client_${provider}`)
  if (!row) throw providerFailure()
  const configuration = configurationOf(services, provider, row)
  const { now } = services

  return {
    async authorizationUrl(parameters: { redirect_uri: string; state: string; verifier: string; scopes: string[] }) {
      return oauth.buildAuthorizationUrl(configuration, {
        redirect_uri: parameters.redirect_uri,
        scope: parameters.scopes.join(' '),
        state: parameters.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(parameters.verifier),
        code_challenge_method: 'S256',
        ...OFFLINE,
      }).href
    },
    exchange: (callbackUrl: URL, checks: { state: string; verifier: string }) =>
      tokensOf(
        oauth.authorizationCodeGrant(configuration, callbackUrl, {
          expectedState: checks.state,
          pkceCodeVerifier: checks.verifier,
        }),
        now(),
      ),
    refresh: (refreshToken: string) => tokensOf(oauth.refreshTokenGrant(configuration, refreshToken), now()),
    revoke: (token: string) => oauth.tokenRevocation(configuration, token),
  }
}

function configurationOf(services: Services, provider: string, row: PlatformProvider): oauth.Configuration {
  const endpoints = endpointsOf(provider, row.config)
  if (!endpoints) throw providerFailure()
  const { client_id = '', client_secret = '' } = row.credentials
  const configuration = new oauth.Configuration(
    { ...endpoints },
    client_id,
    client_secret,
    oauth.ClientSecretPost(client_secret),
  )
  configuration[oauth.customFetch] = (url, init) => services.outbound.fetch(url, init)
  if (services.config.OUTBOUND_ALLOW_PRIVATE === 'true') oauth.allowInsecureRequests(configuration)
  return configuration
}

async function tokensOf(
  grant: Promise<oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers>,
  now: Date,
): Promise<Tokens> {
  let answer: Awaited<typeof grant>
  try {
    answer = await grant
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') throw new GrantRejected()
    if ([401, 403].includes(statusOf(error) ?? 0)) throw new ClientRejected(undefined, { cause: error })
    throw error
  }
  const seconds = answer.expiresIn()
  const claims = answer.claims()
  return {
    access_token: answer.access_token,
    ...(answer.refresh_token === undefined ? {} : { refresh_token: answer.refresh_token }),
    expires_at: seconds === undefined ? null : new Date(now.getTime() + seconds * 1_000).toISOString(),
    scopes: answer.scope?.split(' ') ?? [],
    account: claims ? { id: claims.sub, label: typeof claims.email === 'string' ? claims.email : null } : null,
  }
}

/** The status of a refusal: of the library's own errors, or of the response that it could not read. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError)
    return error.status
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Response ? cause.status : undefined
}
