import { feature } from '../../../feature.ts'
import { locationConstraints } from './errors.ts'
import { locationRoutes } from './routes.ts'

export const locations = feature({
  routes: [locationRoutes],
  constraints: locationConstraints,
})
