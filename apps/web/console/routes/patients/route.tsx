import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch, withFilters } from '#ui/data-list/list-search.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const patientsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'patients',
  validateSearch: withFilters('view'),
  component: lazyRouteComponent(() => import('./patients-page.tsx'), 'PatientsPage'),
})

const patientRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'patients/$id',
  component: lazyRouteComponent(() => import('./patient-page.tsx'), 'PatientPage'),
})

const timelineRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./timeline-tab.tsx'), 'TimelineTab'),
})

const profileRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'profile',
  component: lazyRouteComponent(() => import('./profile/profile-tab.tsx'), 'ProfileTab'),
})

const conditionsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'conditions',
  component: lazyRouteComponent(() => import('./conditions/conditions-tab.tsx'), 'ConditionsTab'),
})

const sessionsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'sessions',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./sessions-tab.tsx'), 'SessionsTab'),
})

const plansRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'plans',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./plans/plans-tab.tsx'), 'PlansTab'),
})

const newPlanRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'plans/new',
  validateSearch: withFilters('program', 'copy', 'sessions'),
  component: lazyRouteComponent(() => import('./plans/new-plan-tab.tsx'), 'NewPlanTab'),
})

const planRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'plans/$planId',
  component: lazyRouteComponent(() => import('./plans/plan-tab.tsx'), 'PlanTab'),
})

const formsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'forms',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./forms/forms-tab.tsx'), 'FormsTab'),
})

const formRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'forms/$formId',
  component: lazyRouteComponent(() => import('./forms/form-tab.tsx'), 'FormTab'),
})

const appointmentsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'appointments',
  validateSearch: withFilters('visit'),
  component: lazyRouteComponent(() => import('./appointments/appointments-tab.tsx'), 'AppointmentsTab'),
})

const consentsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'consents',
  component: lazyRouteComponent(() => import('./consents-tab.tsx'), 'ConsentsTab'),
})

const accessRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'access',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./access-tab.tsx'), 'AccessTab'),
})

const documentsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'documents',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./documents/documents-tab.tsx'), 'DocumentsTab'),
})

/** The record with its tabs. */
export const patientRecordRoute = patientRoute.addChildren([
  timelineRoute,
  profileRoute,
  conditionsRoute,
  sessionsRoute,
  plansRoute,
  newPlanRoute,
  planRoute,
  formsRoute,
  formRoute,
  appointmentsRoute,
  consentsRoute,
  documentsRoute,
  accessRoute,
])
