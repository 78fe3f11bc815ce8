import type { Feature } from '../../features.ts'

export const treatmentPlans: Feature = () => {}
