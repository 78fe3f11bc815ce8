import { feature } from '../../../feature.ts'
import { formTemplateRoutes } from './routes.ts'
import { versionRoutes } from './version-routes.ts'

export const formTemplates = feature({
  routes: [formTemplateRoutes, versionRoutes],
})
