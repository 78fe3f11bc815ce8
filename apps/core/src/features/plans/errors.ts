import type { Constraints } from '@tendon/http'

export const planConstraints: Constraints = {}
