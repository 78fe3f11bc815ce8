import { feature } from '../../../feature.ts'
import { holdConstraints } from './errors.ts'
import { holdJobs } from './jobs.ts'
import { holdRoutes } from './routes.ts'

export const holds = feature({
  routes: [holdRoutes],
  constraints: holdConstraints,
  jobs: holdJobs,
})
