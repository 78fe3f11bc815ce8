import { feature } from '../../../feature.ts'
import { programConstraints } from './errors.ts'
import { programRoutes } from './routes.ts'

export const programs = feature({
  routes: [programRoutes],
  constraints: programConstraints,
})
