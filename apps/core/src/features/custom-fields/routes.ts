import type { Feature } from '../../features.ts'

export const customFields: Feature = () => {}
