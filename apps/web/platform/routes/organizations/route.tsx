import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { operatorRoute } from '../../root-routes.tsx'

export const organizationsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./organizations-page.tsx'), 'OrganizationsPage'),
})
