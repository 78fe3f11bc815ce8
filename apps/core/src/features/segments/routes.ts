import type { Feature } from '../../features.ts'

export const segments: Feature = () => {}
