import type { Feature } from '../../features.ts'

export const profiles: Feature = () => {}
