import type { Constraints } from '@tendon/http'

export const videoConstraints: Constraints = {}
