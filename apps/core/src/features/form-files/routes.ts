import type { Feature } from '../../features.ts'

export const formFiles: Feature = () => {}
