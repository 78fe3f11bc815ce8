import type { Feature } from '../../features.ts'

export const programs: Feature = () => {}
