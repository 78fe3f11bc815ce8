import { feature } from '../../../feature.ts'
import { platformServiceProviderConstraints } from './errors.ts'
import { platformServiceProviderJobs } from './jobs.ts'
import { platformServiceProviderRoutes } from './routes.ts'

export const platformServiceProviders = feature({
  routes: [platformServiceProviderRoutes],
  constraints: platformServiceProviderConstraints,
  jobs: platformServiceProviderJobs,
})
