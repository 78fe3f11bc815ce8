import type { Constraints } from '@tendon/http'

export const domainConstraints: Constraints = {}
