interface OauthEndpoints {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  revocation_endpoint?: string
}

/** By provider. The row of a provider (`oauth_client_<provider>`) can replace them. */
const KNOWN_ENDPOINTS: Readonly<Record<string, OauthEndpoints>> = {
  google: {
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
  },
}

/** The endpoints of a provider, with those of its row; undefined when one that is needed is missing. */
export function endpointsOf(provider: string, config: Record<string, unknown>): OauthEndpoints | undefined {
  const endpoints: Partial<OauthEndpoints> = { ...KNOWN_ENDPOINTS[provider], ...config }
  const { issuer, authorization_endpoint, token_endpoint } = endpoints
  if (!issuer || !authorization_endpoint || !token_endpoint) return undefined
  return { ...endpoints, issuer, authorization_endpoint, token_endpoint }
}
