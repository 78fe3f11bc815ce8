import { type Constraints, refusal } from '@tendon/http'

export const purposeNotFound = refusal(
  404,
  'consent_purpose_not_found',
  'There is no purpose with this code. GET /v1/consent-purposes lists them.',
)
export const platformTextOnly = refusal(
  403,
  'forbidden',
  'This purpose belongs to the platform: only a superadmin can publish its text.',
)
export const usePrivacyNoticePublish = refusal(
  409,
  'use_privacy_notice_publish',
  'The text of this purpose is the privacy notice of a clinic. Fill it in with PUT /v1/organizations/{id}/privacy-notice, then POST …/privacy-notice/publish.',
)

export const consentPurposeConstraints: Constraints = {
  consent_purpose_versions_purpose_fkey: purposeNotFound,
  consent_purpose_versions_scope_check: platformTextOnly,
}
