import { feature } from '../../../feature.ts'
import { healthRoutes } from './routes.ts'

export const health = feature({
  routes: [healthRoutes],
})
