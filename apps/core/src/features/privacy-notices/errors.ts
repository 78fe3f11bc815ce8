import type { Constraints } from '@tendon/http'

export const privacyNoticeConstraints: Constraints = {}
