import { feature } from '../../../feature.ts'
import { analyticsJobs, analyticsSubscribers } from './jobs.ts'
import { analyticsRoutes } from './routes.ts'

export const analytics = feature({
  routes: [analyticsRoutes],
  jobs: analyticsJobs,
  subscribers: analyticsSubscribers,
})
