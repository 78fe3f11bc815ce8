import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { clinicRoute } from '../../root-routes.tsx'

export const meRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'me',
  component: lazyRouteComponent(() => import('./me-page.tsx'), 'MePage'),
})
