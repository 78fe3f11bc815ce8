import type { Constraints } from '@tendon/http'

export const consentPurposeConstraints: Constraints = {}
