import { feature } from '../../../feature.ts'
import { prerequisiteConstraints } from './errors.ts'
import { prerequisiteRoutes } from './routes.ts'

export const prerequisites = feature({
  routes: [prerequisiteRoutes],
  constraints: prerequisiteConstraints,
})
