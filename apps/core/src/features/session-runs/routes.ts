import type { Feature } from '../../features.ts'

export const sessionRuns: Feature = () => {}
