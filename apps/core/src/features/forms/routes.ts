import type { Feature } from '../../features.ts'

export const forms: Feature = () => {}
