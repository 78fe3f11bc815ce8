import type { Feature } from '../../../features.ts'

export const tags: Feature = () => {}
