import type { Constraints } from '@tendon/http'

export const taxonomyConstraints: Constraints = {}
