import type { Feature } from '../../features.ts'

export const privacyNotices: Feature = () => {}
