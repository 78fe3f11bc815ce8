import type { Feature } from '../../features.ts'

export const consentPurposes: Feature = () => {}
