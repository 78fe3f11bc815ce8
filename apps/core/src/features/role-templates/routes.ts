import type { Feature } from '../../features.ts'

export const roleTemplates: Feature = () => {}
