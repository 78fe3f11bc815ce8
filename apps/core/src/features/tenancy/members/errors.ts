import { type Constraints, refusal, validationFailed } from '@tendon/http'

export const memberNotFound = refusal(
  404,
  'member_not_found',
  'No person with this id belongs to the organization. GET /v1/organizations/{id}/members lists those who do.',
)
export const superadminMembership = refusal(
  409,
  'superadmin_membership',
  'A superadmin cannot belong to an organization. Invite another e-mail address.',
)
export const lastManager = refusal(
  409,
  'last_manager',
  'At least one person must be able to manage members. Give another person a role with organizations.manage_members first.',
)
export const roleExceedsCaller = refusal(
  403,
  'forbidden',
  'You can only assign roles whose permissions you hold. This role also grants: {required}. Choose another role, or ask somebody who holds these permissions.',
  { required: 'organizations.update, organizations.manage_roles' },
)

export const memberExceedsCaller = refusal(
  403,
  'forbidden',
  'You cannot change or remove a person with more permissions than you. Their role also grants: {required}. Ask somebody who holds these permissions.',
  { required: 'organizations.update, organizations.manage_roles' },
)

export const alreadyActive = refusal(409, 'already_active', 'This person is a member already and needs no invitation.')
export const invitedRecently = refusal(
  429,
  'invited_recently',
  'This person was invited less than a minute ago. Invite them again in {retry_after} seconds.',
  { retry_after: 42 },
)

export const invitedOften = refusal(
  429,
  'invited_often',
  'This person was invited again 5 times within a day. Invite them again in {retry_after} seconds, or tell them yourself.',
  { retry_after: 3600 },
)

/** One answer for a role that does not exist, one of another organization, and a template. */
export const unknownRole = () =>
  validationFailed({
    fields: { role_id: 'must be the id of a role of this organization (GET /v1/organizations/{id}/roles lists them)' },
  })

export const memberConstraints: Constraints = {
  organization_memberships_superadmin_check: superadminMembership,
  organizations_last_manager_check: lastManager,
}
