import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { clinicRoute } from '../../root-routes.tsx'

export const progressRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'progress',
  component: lazyRouteComponent(() => import('./progress-page.tsx'), 'ProgressPage'),
})
