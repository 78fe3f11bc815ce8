import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { clinicRoute } from '../../root-routes.tsx'

export const privacyNoticeRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'privacy-notice',
  staticData: { needs: 'organizations.manage_privacy_notice' },
  component: lazyRouteComponent(() => import('./privacy-notice-page.tsx'), 'PrivacyNoticePage'),
})
