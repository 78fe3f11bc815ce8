import { feature } from '../../../feature.ts'
import { consentDataClasses } from './data-classes.ts'
import { consentConstraints } from './errors.ts'
import { leavingRoutes } from './leaving-routes.ts'
import { receiptRoutes } from './receipt-routes.ts'
import { consentRoutes } from './routes.ts'
import { staffConsentRoutes } from './staff-routes.ts'

// The events consent.granted and consent.withdrawn come from a trigger: see record.ts.
export const consents = feature({
  routes: [consentRoutes, receiptRoutes, staffConsentRoutes, leavingRoutes],
  constraints: consentConstraints,
  dataClasses: consentDataClasses,
})
