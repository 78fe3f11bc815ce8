import type { Feature } from '../../features.ts'

export const breakGlass: Feature = () => {}
