import type { Feature } from '../../../features.ts'

export const instructions: Feature = () => {}
