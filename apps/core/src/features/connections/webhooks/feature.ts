import { feature } from '../../../feature.ts'
import { webhookDataClasses } from './data-classes.ts'
import { webhookJobs } from './jobs.ts'
import { webhookLogRoutes } from './log-routes.ts'
import { webhookLoop } from './loop.ts'
import { webhookDisabled } from './mails.ts'
import { webhookRoutes } from './routes.ts'
import { webhookSubscribers } from './subscribers.ts'

export const webhooks = feature({
  routes: [webhookRoutes, webhookLogRoutes],
  jobs: webhookJobs,
  subscribers: webhookSubscribers,
  loops: [webhookLoop],
  mails: [webhookDisabled],
  dataClasses: webhookDataClasses,
})
