import { feature } from '../../../feature.ts'
import { servicePlanConstraints } from './errors.ts'
import { servicePlanRoutes } from './routes.ts'

export const servicePlans = feature({
  routes: [servicePlanRoutes],
  constraints: servicePlanConstraints,
})
