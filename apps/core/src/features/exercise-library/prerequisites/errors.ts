import type { Constraints } from '@tendon/http'

export const prerequisiteConstraints: Constraints = {}
