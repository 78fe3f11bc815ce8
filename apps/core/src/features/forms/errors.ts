import type { Constraints } from '@tendon/http'

export const formConstraints: Constraints = {}
