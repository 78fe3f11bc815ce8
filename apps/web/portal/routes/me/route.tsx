import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '#ui/data-list/list-search.ts'
import { startRead, startWholeList } from '#ui/session/load.ts'
import { clinicRoute } from '../../root-routes.tsx'

const meRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'me',
  component: lazyRouteComponent(() => import('./me-page.tsx'), 'MePage'),
})
const profileRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'me/profile',
  loader: (loading) => startWholeList(loading, 'GET /v1/me/patient-records'),
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
})
const clinicsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'me/clinics',
  component: lazyRouteComponent(() => import('./clinics-page.tsx'), 'ClinicsPage'),
})
const consentsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'me/consents',
  loader: (loading) => startRead(loading, 'GET /v1/me/consents'),
  component: lazyRouteComponent(() => import('./consents-page.tsx'), 'ConsentsPage'),
})
const accessLogRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'me/access-log',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./access-log-page.tsx'), 'AccessLogPage'),
})
const dataRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'me/data',
  component: lazyRouteComponent(() => import('./data-page.tsx'), 'DataPage'),
})

export const meRoutes = [meRoute, profileRoute, clinicsRoute, consentsRoute, accessLogRoute, dataRoute]
