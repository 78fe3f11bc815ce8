import type { Feature } from '../../features.ts'

export const serviceAccounts: Feature = () => {}
