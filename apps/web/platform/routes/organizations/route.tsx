import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '#ui/data-list/list-search.ts'
import { startRead } from '#ui/session/load.ts'
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
  loader: (loading) => {
    const { context, params } = loading
    if (context.me?.is_superadmin) startRead(loading, 'GET /v1/organizations/{id}', { params: { id: params.id } })
  },
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
})
