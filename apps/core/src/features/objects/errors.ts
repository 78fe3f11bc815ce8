import type { Constraints } from '@tendon/http'

export const objectConstraints: Constraints = {}
