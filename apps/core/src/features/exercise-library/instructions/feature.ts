import { feature } from '../../../feature.ts'
import { imageRoutes } from './image-routes.ts'
import { instructionRoutes } from './routes.ts'

export const instructions = feature({
  routes: [instructionRoutes, imageRoutes],
})
