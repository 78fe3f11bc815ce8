import type { Feature } from '../../features.ts'

export const gdpr: Feature = () => {}
