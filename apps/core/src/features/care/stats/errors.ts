import type { Constraints } from '@tendon/http'

export const statsConstraints: Constraints = {}
