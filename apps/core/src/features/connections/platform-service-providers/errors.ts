import { type Constraints, refusal } from '@tendon/http'

export const providerNotFound = refusal(
  404,
  'provider_not_found',
  'There is no provider with this id. List the providers to see them.',
)
export const capabilityTaken = refusal(
  409,
  'capability_taken',
  'This capability has a provider already. Change that one, or set it inactive first.',
)
export const providerNotAllowed = refusal(
  422,
  'provider_not_allowed',
  'This provider cannot be configured here. Allowed are email with ses, and oauth_client_<provider> with oauth2.',
)

export const platformServiceProviderConstraints: Constraints = {
  platform_service_providers_capability_key: capabilityTaken,
}
