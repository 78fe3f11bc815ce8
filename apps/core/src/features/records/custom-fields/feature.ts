import { feature } from '../../../feature.ts'
import { customFieldDataClasses } from './data-classes.ts'
import { customFieldConstraints } from './errors.ts'
import { customFieldRoutes } from './routes.ts'
import { versionRoutes } from './version-routes.ts'

export const customFields = feature({
  routes: [customFieldRoutes, versionRoutes],
  constraints: customFieldConstraints,
  dataClasses: customFieldDataClasses,
})
