import type { Constraints } from '@tendon/http'

export const roleTemplateConstraints: Constraints = {}
