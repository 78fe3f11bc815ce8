import type { Feature } from '../../../features.ts'

export const videos: Feature = () => {}
