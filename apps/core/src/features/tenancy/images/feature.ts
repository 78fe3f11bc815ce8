import { feature } from '../../../feature.ts'
import { imageRoutes } from './routes.ts'
import { specialistImageRoutes } from './specialist-routes.ts'

export const images = feature({
  routes: [imageRoutes, specialistImageRoutes],
})
