import type { Constraints } from '@tendon/http'

export const analyticsConstraints: Constraints = {}
