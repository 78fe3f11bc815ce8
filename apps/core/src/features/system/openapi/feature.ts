import { feature } from '../../../feature.ts'
import { openapiRoutes } from './routes.ts'

export const openapi = feature({
  routes: [openapiRoutes],
})
