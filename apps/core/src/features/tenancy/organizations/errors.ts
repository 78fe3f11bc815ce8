import { type Constraints, organizationNotFound, refusal } from '@tendon/http'

export { organizationNotFound } from '@tendon/http'

export const slugTaken = refusal(409, 'slug_taken', 'Another organization has this slug. Choose another.')
export const unresolved = refusal(
  404,
  'organization_not_found',
  'No organization has this slug or verified domain. Check the spelling; a new domain must be verified first.',
)

export const organizationConstraints: Constraints = {
  organizations_slug_key: slugTaken,
  roles_organization_id_fkey: organizationNotFound,
}
