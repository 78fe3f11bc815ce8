import type { Feature } from '../../features.ts'

export const platformMemberships: Feature = () => {}
