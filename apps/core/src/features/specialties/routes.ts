import type { Feature } from '../../features.ts'

export const specialties: Feature = () => {}
