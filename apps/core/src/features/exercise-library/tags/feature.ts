import { feature } from '../../../feature.ts'
import { tagConstraints } from './errors.ts'
import { tagRoutes } from './routes.ts'

export const tags = feature({
  routes: [tagRoutes],
  constraints: tagConstraints,
})
