import type { Constraints } from '@tendon/http'

export const customFieldConstraints: Constraints = {}
