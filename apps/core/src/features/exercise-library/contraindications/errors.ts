import type { Constraints } from '@tendon/http'

export const contraindicationConstraints: Constraints = {}
