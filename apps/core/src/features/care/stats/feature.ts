import { feature } from '../../../feature.ts'
import { statsRoutes } from './routes.ts'

export const stats = feature({
  routes: [statsRoutes],
})
