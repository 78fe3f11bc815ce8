import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { clinicRoute } from '../../root-routes.tsx'

export const reviewRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'session-runs/$runId',
  component: lazyRouteComponent(() => import('./review/review-page.tsx'), 'ReviewPage'),
})
