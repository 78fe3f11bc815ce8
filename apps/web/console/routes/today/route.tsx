import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { needsOf } from '../../pages.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const todayRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: '/',
  staticData: { needs: needsOf('/$clinic') },
  component: lazyRouteComponent(() => import('./today-page.tsx'), 'TodayPage'),
})
