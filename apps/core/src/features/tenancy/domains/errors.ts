import { type Constraints, refusal } from '@tendon/http'

export const domainNotFound = refusal(
  404,
  'domain_not_found',
  'Your organization has no domain with this id. List its domains to see those it has.',
)
export const domainExists = refusal(
  409,
  'domain_exists',
  'Your organization already has this domain. Use the existing one, or delete it first.',
)
export const domainUnavailable = refusal(
  409,
  'domain_unavailable',
  'This domain cannot be verified for your organization. If it is yours, contact support.',
)
export const dnsUnavailable = refusal(
  503,
  'unavailable',
  'The DNS lookup failed; nothing was changed. Retry after the seconds in Retry-After. If this continues, check the name servers of the domain.',
)

export const domainConstraints: Constraints = {
  organization_domains_domain_key: domainExists,
  organization_domains_verified_key: domainUnavailable,
}
