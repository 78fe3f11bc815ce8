import { feature } from '../../../feature.ts'
import { roleTemplateRoutes } from './routes.ts'

export const roleTemplates = feature({
  routes: [roleTemplateRoutes],
})
