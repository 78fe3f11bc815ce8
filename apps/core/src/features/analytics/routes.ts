import type { Feature } from '../../features.ts'

export const analytics: Feature = () => {}
