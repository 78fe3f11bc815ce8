import type { Constraints } from '@tendon/http'

export const breakGlassConstraints: Constraints = {}
