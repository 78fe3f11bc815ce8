import type { Constraints } from '@tendon/http'

export const sessionRunConstraints: Constraints = {}
