import type { Constraints } from '@tendon/http'

export const profileConstraints: Constraints = {}
