import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-routes.tsx'

/** The link in the mail of an offer. Opening it only shows the offer. */
export const waitlistOfferRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'waitlist-offers/$token',
  component: lazyRouteComponent(() => import('./waitlist-offer-page.tsx'), 'WaitlistOfferPage'),
})
