import { feature } from '../../../feature.ts'
import { integrationCredentialRoutes } from './credential-routes.ts'
import { integrationDataClasses } from './data-classes.ts'
import { integrationConstraints } from './errors.ts'
import { inboundRoutes } from './inbound-routes.ts'
import { integrationJobs } from './jobs.ts'
import { integrationOauthRoutes } from './oauth-routes.ts'
import { integrationRoutes } from './routes.ts'
import { integrationServiceRoutes } from './service-routes.ts'

export const integrations = feature({
  routes: [
    integrationServiceRoutes,
    integrationRoutes,
    integrationCredentialRoutes,
    integrationOauthRoutes,
    inboundRoutes,
  ],
  constraints: integrationConstraints,
  jobs: integrationJobs,
  dataClasses: integrationDataClasses,
})
