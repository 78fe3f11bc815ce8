import { feature } from '../../../feature.ts'
import { organizationConstraints } from './errors.ts'
import { organizationRoutes } from './routes.ts'

export const organizations = feature({
  routes: [organizationRoutes],
  constraints: organizationConstraints,
})
