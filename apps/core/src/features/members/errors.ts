import type { Constraints } from '@tendon/http'

export const memberConstraints: Constraints = {}
