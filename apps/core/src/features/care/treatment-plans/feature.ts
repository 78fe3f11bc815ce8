import { feature } from '../../../feature.ts'
import { treatmentPlanDataClasses } from './data-classes.ts'
import { treatmentPlanConstraints } from './errors.ts'
import { myRoutes } from './my-routes.ts'
import { treatmentPlanRoutes } from './routes.ts'
import { statusRoutes } from './status-routes.ts'

export const treatmentPlans = feature({
  routes: [treatmentPlanRoutes, statusRoutes, myRoutes],
  constraints: treatmentPlanConstraints,
  dataClasses: treatmentPlanDataClasses,
})
