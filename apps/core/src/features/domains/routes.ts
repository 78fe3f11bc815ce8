import type { Feature } from '../../features.ts'

export const domains: Feature = () => {}
