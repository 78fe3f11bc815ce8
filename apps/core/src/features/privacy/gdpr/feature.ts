import { feature } from '../../../feature.ts'
import { gdprDataClasses } from './data-classes.ts'
import { gdprConstraints } from './errors.ts'
import { gdprJobs } from './jobs.ts'
import { myExportRoutes } from './my-routes.ts'
import { gdprRoutes } from './routes.ts'

export const gdpr = feature({
  routes: [gdprRoutes, myExportRoutes],
  constraints: gdprConstraints,
  dataClasses: gdprDataClasses,
  jobs: gdprJobs,
})
