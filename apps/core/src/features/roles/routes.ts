import type { Feature } from '../../features.ts'

export const roles: Feature = () => {}
