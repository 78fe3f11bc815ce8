import type { Feature } from '../../features.ts'

export const stats: Feature = () => {}
