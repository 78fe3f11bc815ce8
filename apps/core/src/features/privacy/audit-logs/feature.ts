import { feature } from '../../../feature.ts'
import { auditDataClasses } from './data-classes.ts'
import { auditLogRoutes } from './routes.ts'

export const auditLogs = feature({
  routes: [auditLogRoutes],
  dataClasses: auditDataClasses,
})
