import type { Feature } from '../../features.ts'

export const plans: Feature = () => {}
