import { type Constraints, refusal } from '@tendon/http'

export const humanNotFound = refusal(
  404,
  'human_not_found',
  'No person has this id or verified e-mail. The person must sign in once with that e-mail first.',
)
export const platformMembershipNotFound = refusal(
  404,
  'platform_membership_not_found',
  'This person is not a superadmin. GET /v1/admin/platform-memberships lists who is.',
)
export const hasMemberships = refusal(
  409,
  'has_memberships',
  'This person belongs to an organization, and a superadmin cannot. Remove them from their organizations first, or use another account.',
)
export const lastSuperadmin = refusal(
  409,
  'last_superadmin',
  'This is the last superadmin. Add another superadmin first.',
)

export const platformMembershipConstraints: Constraints = {
  platform_memberships_human_fkey: humanNotFound,
  platform_memberships_member_check: hasMemberships,
  platform_memberships_last_check: lastSuperadmin,
}
