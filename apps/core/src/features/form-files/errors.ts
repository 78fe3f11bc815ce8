import type { Constraints } from '@tendon/http'

export const formFileConstraints: Constraints = {}
