import { feature } from '../../../feature.ts'
import { pdfTemplateRoutes } from './routes.ts'

export const pdfTemplates = feature({
  routes: [pdfTemplateRoutes],
})
