import { refusal } from '@tendon/http'

export const notYourOrganization = refusal(
  403,
  'forbidden',
  'You do not belong to this organization. Switch to one of yours: GET /v1/organizations lists those where you are a member, GET /v1/me/patient-records those where you are a patient.',
)
export const notYourMembership = refusal(
  404,
  'membership_not_found',
  'You do not work at this organization. GET /v1/me lists your memberships.',
)
export const humansOnly = refusal(403, 'forbidden', 'Only a person can do this; a service account cannot.')
