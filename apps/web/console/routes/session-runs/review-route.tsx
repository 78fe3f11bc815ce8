import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { startRead } from '#ui/session/load.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const reviewRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'session-runs/$runId',
  staticData: { needs: 'session_runs.view_org' },
  loader: (loading) =>
    startRead(loading, 'GET /v1/session-runs/{runId}/timeline', { params: { runId: loading.params.runId } }),
  component: lazyRouteComponent(() => import('./review/review-page.tsx'), 'ReviewPage'),
})
