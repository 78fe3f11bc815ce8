import type { Constraints } from '@tendon/http'

export const roleConstraints: Constraints = {}
