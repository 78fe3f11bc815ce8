import { feature } from '../../../feature.ts'
import { closureConstraints } from './errors.ts'
import { closureRoutes } from './routes.ts'

export const closures = feature({
  routes: [closureRoutes],
  constraints: closureConstraints,
})
