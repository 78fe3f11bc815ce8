import { feature } from '../../../feature.ts'
import { profileRoutes } from './routes.ts'
import { specialistProfileRoutes } from './specialist-routes.ts'

export const profiles = feature({
  routes: [profileRoutes, specialistProfileRoutes],
})
