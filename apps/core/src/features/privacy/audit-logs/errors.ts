import { refusal } from '@tendon/http'

export const auditLogNotFound = refusal(
  404,
  'audit_log_not_found',
  'There is no audit entry with this id in your organization. GET /v1/audit-logs lists them.',
)
