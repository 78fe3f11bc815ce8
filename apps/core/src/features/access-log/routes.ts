import type { Feature } from '../../features.ts'

export const accessLog: Feature = () => {}
