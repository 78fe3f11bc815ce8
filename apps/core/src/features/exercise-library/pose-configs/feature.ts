import { feature } from '../../../feature.ts'
import { poseConfigRoutes } from './routes.ts'

export const poseConfigs = feature({
  routes: [poseConfigRoutes],
})
