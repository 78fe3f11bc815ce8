import { feature } from '../../../feature.ts'
import { formTemplateRoutes } from './routes.ts'

export const formTemplates = feature({
  routes: [formTemplateRoutes],
})
