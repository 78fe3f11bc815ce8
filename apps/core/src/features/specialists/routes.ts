import type { Feature } from '../../features.ts'

export const specialists: Feature = () => {}
