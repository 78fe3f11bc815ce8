import type { Constraints } from '@tendon/http'

export const specialtyConstraints: Constraints = {}
