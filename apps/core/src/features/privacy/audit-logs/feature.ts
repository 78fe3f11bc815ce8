import { feature } from '../../../feature.ts'
import { anchorLoop } from './anchors.ts'
import { auditDataClasses } from './data-classes.ts'
import { auditLogRoutes } from './routes.ts'

export const auditLogs = feature({
  routes: [auditLogRoutes],
  dataClasses: auditDataClasses,
  loops: [anchorLoop],
})
