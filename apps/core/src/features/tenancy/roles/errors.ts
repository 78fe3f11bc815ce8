import { type Constraints, refusal, validationFailed } from '@tendon/http'

export { lastManager } from '../members/index.ts'

export const roleNotFound = refusal(
  404,
  'role_not_found',
  'This organization has no role with this id. GET /v1/organizations/{id}/roles lists them.',
)
export const roleCodeTaken = refusal(
  409,
  'role_code_taken',
  'Another role of this organization has this code. Choose another "code".',
)
export const systemRole = refusal(
  409,
  'system_role',
  'This is a system role: it cannot be renamed or deleted. Change its permissions, or create your own role.',
)
export const roleInUse = refusal(
  409,
  'role_in_use',
  'Members or service accounts still have this role. Give them another role first, then delete it.',
)
export const grantNotHeld = refusal(
  403,
  'forbidden',
  'You can only grant permissions that you hold. You do not hold: {required}. Omit them, or ask somebody who holds them.',
  { required: 'organizations.update' },
)

export const unknownCodes = (codes: string[]) =>
  validationFailed({ fields: { permissions: `contains unknown codes: ${codes.join(', ')}` } })

export const roleConstraints: Constraints = {
  roles_code_key: roleCodeTaken,
  roles_clone_check: systemRole,
  organization_memberships_role_fkey: roleInUse,
}
