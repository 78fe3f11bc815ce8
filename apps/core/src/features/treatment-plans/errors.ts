import type { Constraints } from '@tendon/http'

export const treatmentPlanConstraints: Constraints = {}
