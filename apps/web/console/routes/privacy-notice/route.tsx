import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { startRead } from '#ui/session/load.ts'
import { needsOf } from '../../pages.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const privacyNoticeRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'privacy-notice',
  staticData: { needs: needsOf('/$clinic/privacy-notice') },
  loader: (loading) =>
    startRead(loading, 'GET /v1/organizations/{id}/privacy-notice', {
      params: { id: loading.context.clinic?.id ?? '' },
    }),
  component: lazyRouteComponent(() => import('./privacy-notice-page.tsx'), 'PrivacyNoticePage'),
})
