import { feature } from '../../../feature.ts'
import { objectRoutes } from './routes.ts'

export const objects = feature({
  routes: [objectRoutes],
})
