import { feature } from '../../../feature.ts'
import { specialistConstraints } from './errors.ts'
import { specialistRoutes } from './routes.ts'

export const specialists = feature({
  routes: [specialistRoutes],
  constraints: specialistConstraints,
})
