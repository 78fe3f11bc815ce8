import { feature } from '../../../feature.ts'
import { meRoutes } from './routes.ts'

export const me = feature({
  routes: [meRoutes],
})
