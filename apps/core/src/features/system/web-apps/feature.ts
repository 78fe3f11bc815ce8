import { feature } from '../../../feature.ts'
import { webAppRoutes } from './routes.ts'

export const webApps = feature({
  routes: [webAppRoutes],
})
