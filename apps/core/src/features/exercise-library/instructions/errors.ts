import type { Constraints } from '@tendon/http'

export const instructionConstraints: Constraints = {}
