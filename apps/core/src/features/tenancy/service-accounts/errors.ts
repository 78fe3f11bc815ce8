import { type Constraints, refusal } from '@tendon/http'

export const serviceAccountNotFound = refusal(
  404,
  'service_account_not_found',
  'This organization has no service account with this id. GET /v1/organizations/{id}/service-accounts lists them.',
)
export const serviceAccountNameTaken = refusal(
  409,
  'service_account_name_taken',
  'Another service account of this organization has this name. Choose another.',
)
export const apiKeyNotFound = refusal(
  404,
  'api_key_not_found',
  'This service account has no key with this id. GET …/keys lists its keys.',
)
export const apiKeyLimit = refusal(
  409,
  'api_key_limit',
  'This service account has reached the limit of {max} active keys. Revoke one first.',
  { max: 20 },
)
export const keysByPeopleOnly = refusal(
  403,
  'forbidden',
  'A service account cannot create keys, since a key could then replace itself forever. Ask a person who manages members.',
)
/** A key would open the clinic's patients to an operator without break-glass. */
export const keysByTheClinic = refusal(
  403,
  'forbidden',
  'Only members of a clinic can create its keys; superadmins cannot. Ask one of its admins.',
)
export const keyExceedsCaller = refusal(
  403,
  'forbidden',
  'A key has all permissions of its service account, and this one has permissions that you do not hold: {required}. Ask somebody who holds them.',
  { required: 'organizations.update, organizations.manage_roles' },
)

export const serviceAccountConstraints: Constraints = {
  service_accounts_name_key: serviceAccountNameTaken,
}
