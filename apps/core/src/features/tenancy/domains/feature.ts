import { feature } from '../../../feature.ts'
import { domainConstraints } from './errors.ts'
import { domainRoutes } from './routes.ts'

export const domains = feature({
  routes: [domainRoutes],
  constraints: domainConstraints,
})
