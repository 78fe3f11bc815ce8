import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { clinicRoute } from '../../root-routes.tsx'

export const todayRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: '/',
  staticData: { needs: null },
  component: lazyRouteComponent(() => import('./today-page.tsx'), 'TodayPage'),
})
