export interface OauthEndpoints {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  revocation_endpoint: string
}

/** By provider. The row of a provider (`oauth_client_<provider>`) can replace them. */
export const KNOWN_ENDPOINTS: Readonly<Record<string, OauthEndpoints>> = {
  google: {
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
  },
}
