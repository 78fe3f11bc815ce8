import type { Constraints } from '@tendon/http'

export const accessLogConstraints: Constraints = {}
