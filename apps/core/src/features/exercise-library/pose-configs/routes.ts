import type { Feature } from '../../../features.ts'

export const poseConfigs: Feature = () => {}
