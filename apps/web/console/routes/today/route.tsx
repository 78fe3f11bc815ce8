import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../../ui/data-list/list-search.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const todayRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: '/',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./today-page.tsx'), 'TodayPage'),
})
