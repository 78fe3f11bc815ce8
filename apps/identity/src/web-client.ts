// The one client that people sign in to, and what its tokens are: also for the command that makes one without a sign-in.

export const WEB_CLIENT_ID = 'tendon-web'
export const SCOPES = ['openid', 'profile', 'email', 'offline_access']
export const ACCESS_TOKEN_TTL_SECONDS = 60 * 60
