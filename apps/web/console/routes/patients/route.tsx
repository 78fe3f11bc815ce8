import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../../ui/data-list/list-search.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const patientsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'patients',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./patients-page.tsx'), 'PatientsPage'),
})

export const patientRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'patients/$id',
  component: lazyRouteComponent(() => import('./patient-page.tsx'), 'PatientPage'),
})

export const patientOverviewRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview-tab.tsx'), 'OverviewTab'),
})

export const patientSessionsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'sessions',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./sessions-tab.tsx'), 'SessionsTab'),
})

export const patientPlansRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'plans',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./plans-tab.tsx'), 'PlansTab'),
})
