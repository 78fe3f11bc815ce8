import type { Feature } from '../../features.ts'

export const formTemplates: Feature = () => {}
