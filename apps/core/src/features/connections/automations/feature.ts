import { feature } from '../../../feature.ts'
import { automationDataClasses } from './data-classes.ts'
import { executionRoutes } from './execution-routes.ts'
import { automationJobs } from './jobs.ts'
import { automationCare, automationMarketing, automationNotice } from './mails.ts'
import { automationRuleRoutes } from './routes.ts'
import { automationSubscribers } from './subscribers.ts'

export const automations = feature({
  routes: [automationRuleRoutes, executionRoutes],
  jobs: automationJobs,
  subscribers: automationSubscribers,
  mails: [automationCare, automationMarketing, automationNotice],
  dataClasses: automationDataClasses,
})
