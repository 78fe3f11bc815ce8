import type { Constraints } from '@tendon/http'

export const programConstraints: Constraints = {}
