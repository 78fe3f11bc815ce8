import { feature } from '../../../feature.ts'
import { privacyNoticeRoutes } from './routes.ts'
import { privacyNoticeTemplateRoutes } from './template-routes.ts'

export const privacyNotices = feature({
  routes: [privacyNoticeRoutes, privacyNoticeTemplateRoutes],
})
