import { feature } from '../../../feature.ts'
import { platformMembershipConstraints } from './errors.ts'
import { platformMembershipRoutes } from './routes.ts'

export const platformMemberships = feature({
  routes: [platformMembershipRoutes],
  constraints: platformMembershipConstraints,
})
