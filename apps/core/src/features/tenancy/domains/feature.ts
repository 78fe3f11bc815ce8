import { feature } from '../../../feature.ts'
import { domainConstraints } from './errors.ts'
import { domainJobs } from './jobs.ts'
import { domainRecordMissing, domainStopped } from './mails.ts'
import { domainRoutes } from './routes.ts'

export const domains = feature({
  routes: [domainRoutes],
  constraints: domainConstraints,
  jobs: domainJobs,
  mails: [domainRecordMissing, domainStopped],
})
