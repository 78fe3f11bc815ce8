import type { Constraints } from '@tendon/http'

export const specialistConstraints: Constraints = {}
