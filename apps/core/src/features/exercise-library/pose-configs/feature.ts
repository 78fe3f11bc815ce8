import { feature } from '../../../feature.ts'
import { proposeRoutes } from './propose-routes.ts'
import { poseConfigRoutes } from './routes.ts'

export const poseConfigs = feature({
  routes: [poseConfigRoutes, proposeRoutes],
})
