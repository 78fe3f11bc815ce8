import { feature } from '../../../feature.ts'
import { systemInfoRoutes } from './routes.ts'

export const systemInfo = feature({
  routes: [systemInfoRoutes],
})
