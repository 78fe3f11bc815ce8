import type { Constraints } from '@tendon/http'

export const tagConstraints: Constraints = {}
