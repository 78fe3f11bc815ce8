import { refusal } from '@tendon/http'

export const attentionNotFound = refusal(
  404,
  'attention_not_found',
  'Nothing with this key needs attention, or you may not see it. Read GET /v1/attention again.',
)
