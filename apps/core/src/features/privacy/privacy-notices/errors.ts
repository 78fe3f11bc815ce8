import { refusal } from '@tendon/http'

export const templateNotFound = refusal(
  404,
  'privacy_notice_template_not_found',
  'The template has no version with this number. GET /v1/privacy-notice-templates lists the versions.',
)
export const noticeNotFound = refusal(
  404,
  'privacy_notice_not_found',
  'No clinic with this slug has published a privacy notice. Check the spelling, or ask the clinic.',
)
