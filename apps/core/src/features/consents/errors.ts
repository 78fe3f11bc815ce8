import type { Constraints } from '@tendon/http'

export const consentConstraints: Constraints = {}
