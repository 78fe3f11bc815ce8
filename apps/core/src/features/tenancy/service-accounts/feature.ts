import { feature } from '../../../feature.ts'
import { serviceAccountConstraints } from './errors.ts'
import { keyRoutes } from './key-routes.ts'
import { serviceAccountRoutes } from './routes.ts'

export const serviceAccounts = feature({
  routes: [serviceAccountRoutes, keyRoutes],
  constraints: serviceAccountConstraints,
})
