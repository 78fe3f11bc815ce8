import type { Constraints } from '@tendon/http'

export const locationConstraints: Constraints = {}
