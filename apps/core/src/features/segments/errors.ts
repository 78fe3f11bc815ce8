import type { Constraints } from '@tendon/http'

export const segmentConstraints: Constraints = {}
