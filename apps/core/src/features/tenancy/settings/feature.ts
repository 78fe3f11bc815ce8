import { feature } from '../../../feature.ts'
import { settingsRoutes } from './routes.ts'

export const settings = feature({
  routes: [settingsRoutes],
})
