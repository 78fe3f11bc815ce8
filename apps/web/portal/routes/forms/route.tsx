import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { startRead } from '#ui/session/load.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const formsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'forms',
  component: lazyRouteComponent(() => import('./forms-page.tsx'), 'FormsPage'),
})

export const formRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'forms/$id',
  loader: (loading) => startRead(loading, 'GET /v1/forms/{id}', { params: { id: loading.params.id } }),
  component: lazyRouteComponent(() => import('./form-page.tsx'), 'FormPage'),
})
