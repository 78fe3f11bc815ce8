import type { Constraints } from '@tendon/http'

export const platformMembershipConstraints: Constraints = {}
