import { refusal } from '@tendon/http'

export const roleTemplateNotFound = refusal(
  404,
  'role_template_not_found',
  'There is no role template with this id. GET /v1/admin/role-templates lists them.',
)
