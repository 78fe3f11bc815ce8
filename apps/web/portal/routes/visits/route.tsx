import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { bookingSearch } from '../../parts/book/booking-search.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const visitsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'visits',
  component: lazyRouteComponent(() => import('./visits-page.tsx'), 'VisitsPage'),
})

export const newVisitRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'visits/new',
  validateSearch: bookingSearch,
  component: lazyRouteComponent(() => import('./new-visit-page.tsx'), 'NewVisitPage'),
})

export const moveVisitRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'visits/$id/move',
  validateSearch: bookingSearch,
  component: lazyRouteComponent(() => import('./move-visit-page.tsx'), 'MoveVisitPage'),
})
