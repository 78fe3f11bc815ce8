import type { Feature } from '../../../features.ts'

export const contraindications: Feature = () => {}
