import { feature } from '../../../feature.ts'
import { documentDataClasses } from './data-classes.ts'
import { appointmentDocumentRoutes } from './routes.ts'
import { verifyRoutes } from './verify-routes.ts'

export const appointmentDocuments = feature({
  routes: [appointmentDocumentRoutes, verifyRoutes],
  dataClasses: documentDataClasses,
})
