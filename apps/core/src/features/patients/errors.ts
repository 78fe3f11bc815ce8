import type { Constraints } from '@tendon/http'

export const patientConstraints: Constraints = {}
