import { feature } from '../../../feature.ts'
import { patientDataClasses } from './data-classes.ts'
import { patientConstraints } from './errors.ts'
import { impersonationRoutes } from './impersonation-routes.ts'
import { patientInvited } from './mails.ts'
import { mergeRoutes } from './merge-routes.ts'
import { myRoutes } from './my-routes.ts'
import { onboardingRoutes } from './onboarding-routes.ts'
import { restoreRoutes } from './restore-routes.ts'
import { patientRoutes } from './routes.ts'
import { summaryRoutes } from './summary-routes.ts'

export const patients = feature({
  routes: [patientRoutes, summaryRoutes, onboardingRoutes, restoreRoutes, mergeRoutes, myRoutes, impersonationRoutes],
  constraints: patientConstraints,
  dataClasses: patientDataClasses,
  mails: [patientInvited],
})
