import { feature } from '../../../feature.ts'
import { taxonomyConstraints } from './errors.ts'
import { taxonomyRoutes } from './routes.ts'

export const taxonomy = feature({
  routes: [taxonomyRoutes],
  constraints: taxonomyConstraints,
})
