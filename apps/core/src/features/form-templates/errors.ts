import type { Constraints } from '@tendon/http'

export const formTemplateConstraints: Constraints = {}
