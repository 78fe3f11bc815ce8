import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch, withFilters } from '#ui/data-list/list-search.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const patientsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'patients',
  staticData: { needs: 'patients.view_org' },
  validateSearch: withFilters('view'),
  component: lazyRouteComponent(() => import('./patients-page.tsx'), 'PatientsPage'),
})

const patientRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'patients/$id',
  staticData: { needs: 'patients.view_org' },
  component: lazyRouteComponent(() => import('./patient-page.tsx'), 'PatientPage'),
})

const timelineRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: '/',
  staticData: { needs: null },
  component: lazyRouteComponent(() => import('./timeline-tab.tsx'), 'TimelineTab'),
})

const profileRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'profile',
  staticData: { needs: null },
  component: lazyRouteComponent(() => import('./profile/profile-tab.tsx'), 'ProfileTab'),
})

const conditionsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'conditions',
  staticData: { needs: null },
  component: lazyRouteComponent(() => import('./conditions/conditions-tab.tsx'), 'ConditionsTab'),
})

const sessionsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'sessions',
  staticData: { needs: 'session_runs.view_org' },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./sessions-tab.tsx'), 'SessionsTab'),
})

const plansRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'plans',
  staticData: { needs: 'treatment_plans.view_org' },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./plans/plans-tab.tsx'), 'PlansTab'),
})

const newPlanRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'plans/new',
  staticData: { needs: 'treatment_plans.manage' },
  validateSearch: withFilters('program', 'copy', 'sessions'),
  component: lazyRouteComponent(() => import('./plans/new-plan-tab.tsx'), 'NewPlanTab'),
})

const planRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'plans/$planId',
  staticData: { needs: 'treatment_plans.view_org' },
  component: lazyRouteComponent(() => import('./plans/plan-tab.tsx'), 'PlanTab'),
})

const formsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'forms',
  staticData: { needs: 'forms.view_org' },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./forms/forms-tab.tsx'), 'FormsTab'),
})

const formRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'forms/$formId',
  staticData: { needs: 'forms.view_org' },
  component: lazyRouteComponent(() => import('./forms/form-tab.tsx'), 'FormTab'),
})

const appointmentsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'appointments',
  staticData: { needs: 'appointments.view_org' },
  validateSearch: withFilters('visit'),
  component: lazyRouteComponent(() => import('./appointments/appointments-tab.tsx'), 'AppointmentsTab'),
})

const consentsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'consents',
  staticData: { needs: 'consents.view_org' },
  component: lazyRouteComponent(() => import('./consents-tab.tsx'), 'ConsentsTab'),
})

const accessRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'access',
  staticData: { needs: 'audit_log.view_org' },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./access-tab.tsx'), 'AccessTab'),
})

const documentsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'documents',
  staticData: { needs: 'documents.view_org' },
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
