import type { Constraints } from '@tendon/http'

export const patientConditionConstraints: Constraints = {}
