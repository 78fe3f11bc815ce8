import type { Constraints } from '@tendon/http'

export const poseConfigConstraints: Constraints = {}
