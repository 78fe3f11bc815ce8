import { feature } from '../../../feature.ts'
import { serviceConstraints } from './errors.ts'
import { serviceRoutes } from './routes.ts'

export const services = feature({
  routes: [serviceRoutes],
  constraints: serviceConstraints,
})
