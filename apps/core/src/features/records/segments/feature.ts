import { feature } from '../../../feature.ts'
import { segmentDataClasses } from './data-classes.ts'
import { segmentConstraints } from './errors.ts'
import { evaluationRoutes } from './evaluation-routes.ts'
import { segmentJobs, segmentSubscribers } from './jobs.ts'
import { memberRoutes } from './member-routes.ts'
import { segmentRoutes } from './routes.ts'

export const segments = feature({
  routes: [segmentRoutes, memberRoutes, evaluationRoutes],
  constraints: segmentConstraints,
  dataClasses: segmentDataClasses,
  jobs: segmentJobs,
  subscribers: segmentSubscribers,
})
