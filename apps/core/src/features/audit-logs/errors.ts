import type { Constraints } from '@tendon/http'

export const auditLogConstraints: Constraints = {}
