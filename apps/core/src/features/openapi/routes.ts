import type { Feature } from '../../features.ts'

export const openapi: Feature = () => {}
