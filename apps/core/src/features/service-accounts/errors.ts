import type { Constraints } from '@tendon/http'

export const serviceAccountConstraints: Constraints = {}
