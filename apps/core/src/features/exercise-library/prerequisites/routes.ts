import type { Feature } from '../../../features.ts'

export const prerequisites: Feature = () => {}
