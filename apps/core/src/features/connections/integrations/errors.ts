import { type Constraints, refusal } from '@tendon/http'

export const oauthRequiresCallbackFlow = refusal(
  400,
  'oauth_requires_callback_flow',
  'This service is connected by signing in to it. Start at POST /v1/organizations/{id}/integrations/authorize.',
)
export const notAnOauthService = refusal(
  400,
  'not_an_oauth_service',
  'This service is not connected by signing in. Create the integration with its credentials instead.',
)
export const invalidConfig = refusal(400, 'invalid_config', '{reason}', {
  reason: 'The field port must be integer.',
})
export const invalidCredentials = refusal(400, 'invalid_credentials', '{reason}', {
  reason: 'The service refused the credentials (authentication). Check them and try again.',
})
export const oauthStateInvalid = refusal(
  400,
  'oauth_state_invalid',
  'This sign-in was started elsewhere, took too long or was used before. Start it again from your integrations.',
)
export const serviceNotFound = refusal(
  404,
  'service_not_found',
  'There is no service with this slug. List the integration services to see them.',
)
export const integrationNotFound = refusal(
  404,
  'integration_not_found',
  'Your organization has no integration with this id. List its integrations to see them.',
)
export const integrationRevoked = refusal(
  409,
  'integration_revoked',
  'This integration was removed, or is still being connected. Create a new one.',
)
export const titleTaken = refusal(
  409,
  'title_taken',
  'Another integration of your organization has this title. Choose another title.',
)
export const connectorNotRegistered = refusal(
  502,
  'connector_not_registered',
  'This service cannot be connected yet. Choose one that is available.',
)
export const providerFailure = refusal(
  502,
  'provider_failure',
  'The provider of this service is not set up or does not answer. Try again later.',
)
export const inboundNotFound = refusal(404, 'inbound_not_found', 'There is no inbound webhook at this URL.')
export const signatureInvalid = refusal(
  401,
  'signature_invalid',
  'Sign the message with the headers of Standard Webhooks (webhook-id with no dot, webhook-timestamp, webhook-signature), or with X-Signature: sha256= and the HMAC-SHA256 of the raw body in hex, keyed with the signing secret.',
)
export const timestampInvalid = refusal(
  401,
  'timestamp_invalid',
  'The time in the header webhook-timestamp is more than five minutes in the past or in the future. Check the clock of the sender, and sign each attempt with its own time.',
)

export const integrationConstraints: Constraints = {
  organization_integrations_title_key: titleTaken,
}
