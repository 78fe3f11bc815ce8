import { feature } from '../../../feature.ts'
import { mailDataClasses } from './data-classes.ts'
import { devMailRoutes } from './dev-routes.ts'
import { mailJobs } from './jobs.ts'
import { mailLoop } from './loop.ts'
import { mailRoutes } from './routes.ts'
import { sesRoutes } from './ses-routes.ts'
import { unsubscribeRoutes } from './unsubscribe-routes.ts'

export const mails = feature({
  routes: [mailRoutes, unsubscribeRoutes, sesRoutes, devMailRoutes],
  jobs: mailJobs,
  loops: [mailLoop],
  dataClasses: mailDataClasses,
})
