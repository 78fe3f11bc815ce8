import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { startRead } from '#ui/session/load.ts'
import { rootRoute } from '../../root-routes.tsx'

/** The link in the mail of an offer. Opening it only shows the offer. */
export const waitlistOfferRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'waitlist-offers/$token',
  loader: (loading) =>
    startRead(loading, 'GET /v1/public/waitlist-offers/{token}', { params: { token: loading.params.token } }),
  component: lazyRouteComponent(() => import('./waitlist-offer-page.tsx'), 'WaitlistOfferPage'),
})
