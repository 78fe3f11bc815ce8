import { feature } from '../../../feature.ts'
import { roleConstraints } from './errors.ts'
import { permissionRoutes } from './permission-routes.ts'
import { roleRoutes } from './routes.ts'

export const roles = feature({
  routes: [roleRoutes, permissionRoutes],
  constraints: roleConstraints,
})
