import type { Constraints } from '@tendon/http'

export const exerciseConstraints: Constraints = {}
