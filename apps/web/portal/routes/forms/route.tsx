import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { clinicRoute } from '../../root-routes.tsx'

export const formsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'forms',
  component: lazyRouteComponent(() => import('./forms-page.tsx'), 'FormsPage'),
})

export const formRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'forms/$id',
  component: lazyRouteComponent(() => import('./form-page.tsx'), 'FormPage'),
})
