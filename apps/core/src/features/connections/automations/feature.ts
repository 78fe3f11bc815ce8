import { feature } from '../../../feature.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { automationDataClasses } from './data-classes.ts'
import { executionRoutes } from './execution-routes.ts'
import { automationJobs } from './jobs.ts'
import { automationCare, automationMarketing, automationNotice, automationQuota } from './mails.ts'
import { automationRuleRoutes } from './routes.ts'
import { automationSubscribers } from './subscribers.ts'

export const automations = feature({
  routes: [automationRuleRoutes, executionRoutes, bulkRoutes],
  jobs: automationJobs,
  subscribers: automationSubscribers,
  mails: [automationCare, automationMarketing, automationNotice, automationQuota],
  dataClasses: automationDataClasses,
})
