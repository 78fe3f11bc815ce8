import { type Constraints, refusal } from '@tendon/http'

export const staleVersion = refusal(
  409,
  'stale_version',
  'The text of {purpose_code} in force is version {required_version}. Read it (GET /v1/consent-purposes), then agree to that version.',
  { purpose_code: 'org_terms', required_version: 2 },
)
export const textUnpublished = refusal(
  409,
  'text_unpublished',
  'No text of {purpose_code} is published yet. Publish one with POST /v1/consent-purposes/{code}/versions.',
  { purpose_code: 'telerehab' },
)
export const privacyNoticeUnpublished = refusal(
  409,
  'privacy_notice_unpublished',
  'The clinic has not published its privacy notice yet, so no consent can be given there. An admin of the clinic publishes it with POST /v1/organizations/{id}/privacy-notice/publish.',
)
export const notWithdrawable = refusal(
  409,
  'not_withdrawable',
  'The legal basis of this purpose is not consent, so it cannot be withdrawn. It ends when the patient leaves the clinic or erases the account.',
)
export const consentNotFound = refusal(
  404,
  'not_found',
  'There is no active consent with this id. GET /v1/me/consents lists the active ones.',
)
export const receiptNotFound = refusal(
  404,
  'not_found',
  'You have no consent with this id. GET /v1/me/consents lists your consents and their history.',
)
export const clinicNotFound = refusal(
  404,
  'not_found',
  'You are not a patient of this clinic. GET /v1/me lists the clinics where you are one.',
)
export const stillAMember = refusal(
  409,
  'still_a_member',
  'You are a member of a clinic. Ask one of its admins to remove you, then erase your account.',
)
export const superadminsStay = refusal(
  403,
  'forbidden',
  'A superadmin cannot erase their account. Ask another superadmin to remove you first.',
)
export const humansOnly = refusal(403, 'forbidden', 'Only a person can do this; a service account cannot.')

export const consentConstraints: Constraints = {
  consents_withdrawable_check: notWithdrawable,
  humans_member_check: stillAMember,
  humans_superadmin_check: superadminsStay,
}
