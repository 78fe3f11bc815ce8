import { feature } from '../../../feature.ts'
import { planConstraints } from './errors.ts'
import { planRoutes } from './routes.ts'

export const plans = feature({
  routes: [planRoutes],
  constraints: planConstraints,
})
