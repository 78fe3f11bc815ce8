import type { Feature } from '../../features.ts'

export const patientConditions: Feature = () => {}
