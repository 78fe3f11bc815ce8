import type { Feature } from '../../features.ts'

export const members: Feature = () => {}
