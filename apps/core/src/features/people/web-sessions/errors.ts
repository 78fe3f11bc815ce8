import { refusal } from '@tendon/http'

export const sessionNotFound = refusal(
  404,
  'session_not_found',
  'You have no session with this id. It may have ended; list your sessions to see those you have.',
)
export const logoutTokenInvalid = refusal(
  400,
  'logout_token_invalid',
  'The logout token is not a valid back-channel logout token of the identity provider for this client.',
)
