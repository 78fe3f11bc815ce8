import { type Constraints, refusal } from '@tendon/http'

export const staleVersion = refusal(
  409,
  'stale_version',
  'The text of {purpose_code} in force is version {required_version}. Read it (GET /v1/consent-purposes), then agree to that version.',
  { purpose_code: 'org_terms', required_version: 2 },
)
export const privacyNoticeUnpublished = refusal(
  409,
  'privacy_notice_unpublished',
  'The clinic has not published its privacy notice yet, so nothing can be agreed to there. An admin of the clinic publishes it with POST /v1/organizations/{id}/privacy-notice/publish.',
)
export const notWithdrawable = refusal(
  409,
  'not_withdrawable',
  'This cannot be withdrawn by itself: it does not rest on consent. To end it, leave the clinic or erase your account.',
)

export const consentConstraints: Constraints = {
  consents_withdrawable_check: notWithdrawable,
}
