import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withFilters } from '#ui/data-list/list-search.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const sessionRunsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'session-runs',
  staticData: { needs: 'session_runs.view_org' },
  validateSearch: withFilters('incomplete', 'status'),
  component: lazyRouteComponent(() => import('./session-runs-page.tsx'), 'SessionRunsPage'),
})
