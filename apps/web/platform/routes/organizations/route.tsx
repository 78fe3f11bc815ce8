import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '#ui/data-list/list-search.ts'
import { operatorRoute } from '../../root-routes.tsx'

export const organizationsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./organizations-page.tsx'), 'OrganizationsPage'),
})

export const organizationRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'organizations/$id',
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
})
