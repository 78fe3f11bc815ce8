import type { Constraints } from '@tendon/http'

export const gdprConstraints: Constraints = {}
