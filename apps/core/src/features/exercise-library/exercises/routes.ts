import type { Feature } from '../../../features.ts'

export const exercises: Feature = () => {}
