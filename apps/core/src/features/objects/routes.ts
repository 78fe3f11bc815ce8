import type { Feature } from '../../features.ts'

export const objects: Feature = () => {}
