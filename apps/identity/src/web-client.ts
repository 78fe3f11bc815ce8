// The only client, and the lifetime of its tokens; also used by the command that creates a token without a sign-in.

export const WEB_CLIENT_ID = 'tendon-web'
export const SCOPES = ['openid', 'profile', 'email', 'offline_access']
export const ACCESS_TOKEN_TTL_SECONDS = 60 * 60
