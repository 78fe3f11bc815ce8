import { feature } from '../../../feature.ts'
import { accessLogRoutes } from './routes.ts'

export const accessLog = feature({
  routes: [accessLogRoutes],
})
