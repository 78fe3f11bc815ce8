import { feature } from '../../../feature.ts'
import { availabilityJobs } from './jobs.ts'
import { availabilityRoutes } from './routes.ts'

export const availability = feature({ routes: [availabilityRoutes], jobs: availabilityJobs })
