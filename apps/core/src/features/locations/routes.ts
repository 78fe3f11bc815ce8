import type { Feature } from '../../features.ts'

export const locations: Feature = () => {}
