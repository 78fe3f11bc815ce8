import type { Feature } from '../../../features.ts'

export const taxonomy: Feature = () => {}
