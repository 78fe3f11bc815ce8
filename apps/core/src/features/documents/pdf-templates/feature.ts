import { feature } from '../../../feature.ts'
import { pdfTemplateRoutes } from './routes.ts'
import { versionRoutes } from './version-routes.ts'

export const pdfTemplates = feature({
  routes: [pdfTemplateRoutes, versionRoutes],
})
