import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listQuery, withFilters } from '#ui/data-list/list-search.ts'
import { startRead } from '#ui/session/load.ts'
import { needsOf } from '../../pages.ts'
import { clinicRoute } from '../../root-routes.tsx'

const search = withFilters('incomplete', 'status')

export const sessionRunsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'session-runs',
  staticData: { needs: needsOf('/$clinic/session-runs') },
  validateSearch: search,
  loaderDeps: ({ search: { incomplete, ...list } }) => ({
    ...listQuery(list, '-started_at'),
    ...(incomplete === undefined ? {} : { incomplete: String(incomplete === 'yes') }),
  }),
  loader: (loading) => startRead(loading, 'GET /v1/session-runs', { query: loading.deps }),
  component: lazyRouteComponent(() => import('./session-runs-page.tsx'), 'SessionRunsPage'),
})
