import type { Feature } from '../../features.ts'

export const consents: Feature = () => {}
