import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { clinicRoute } from '../../root-routes.tsx'

export const reviewRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'session-runs/$runId',
  staticData: { needs: 'session_runs.view_org' },
  component: lazyRouteComponent(() => import('./review/review-page.tsx'), 'ReviewPage'),
})
