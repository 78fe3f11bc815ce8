import type { Feature } from '../../features.ts'

export const patients: Feature = () => {}
