import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listQuery, listSearch, withFilters } from '#ui/data-list/list-search.ts'
import { startRead, startWholeList } from '#ui/session/load.ts'
import { needsOf } from '../../pages.ts'
import { filterOf, isSegment } from '../../parts/patients/views.ts'
import { clinicRoute } from '../../root-routes.tsx'

const patientsSearch = withFilters('view', 'new')
const visitsSearch = withFilters('visit')

export const patientsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'patients',
  staticData: { needs: needsOf('/$clinic/patients') },
  validateSearch: patientsSearch,
  loaderDeps: ({ search: { view = '', ...search } }) => ({
    view,
    query: { ...filterOf(view), ...listQuery(search, 'last_name') },
  }),
  loader: (loading) => {
    const { view, query } = loading.deps
    if (!isSegment(view)) startRead(loading, 'GET /v1/patients', { query })
  },
  component: lazyRouteComponent(() => import('./patients-page.tsx'), 'PatientsPage'),
})

const patientRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'patients/$id',
  staticData: { needs: 'patients.view_org' },
  loader: (loading) => startRead(loading, 'GET /v1/patients/{id}', { params: { id: loading.params.id } }),
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
  loader: (loading) => startRead(loading, 'GET /v1/patients/{id}/profile', { params: { id: loading.params.id } }),
  component: lazyRouteComponent(() => import('./profile/profile-tab.tsx'), 'ProfileTab'),
})

const conditionsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'conditions',
  staticData: { needs: null },
  loader: (loading) =>
    startWholeList(loading, 'GET /v1/patients/{id}/conditions', { params: { id: loading.params.id } }),
  component: lazyRouteComponent(() => import('./conditions/conditions-tab.tsx'), 'ConditionsTab'),
})

const sessionsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'sessions',
  staticData: { needs: 'session_runs.view_org' },
  validateSearch: listSearch,
  loaderDeps: ({ search }) => listQuery(search, '-started_at'),
  loader: (loading) =>
    startRead(loading, 'GET /v1/session-runs', { query: { patient_id: loading.params.id, ...loading.deps } }),
  component: lazyRouteComponent(() => import('./sessions-tab.tsx'), 'SessionsTab'),
})

const plansRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'plans',
  staticData: { needs: 'treatment_plans.view_org' },
  validateSearch: listSearch,
  loaderDeps: ({ search }) => listQuery(search, '-created_at'),
  loader: (loading) =>
    startRead(loading, 'GET /v1/treatment-plans', { query: { patient_id: loading.params.id, ...loading.deps } }),
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
  loader: (loading) => startRead(loading, 'GET /v1/treatment-plans/{id}', { params: { id: loading.params.planId } }),
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
  loader: (loading) => startRead(loading, 'GET /v1/forms/{id}', { params: { id: loading.params.formId } }),
  component: lazyRouteComponent(() => import('./forms/form-tab.tsx'), 'FormTab'),
})

const appointmentsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'appointments',
  staticData: { needs: 'appointments.view_org' },
  validateSearch: visitsSearch,
  loaderDeps: ({ search }) => ({ ...listQuery(search, '-starts_at'), include: 'specialist,service' }),
  loader: (loading) =>
    startRead(loading, 'GET /v1/appointments', { query: { patient_id: loading.params.id, ...loading.deps } }),
  component: lazyRouteComponent(() => import('./appointments/appointments-tab.tsx'), 'AppointmentsTab'),
})

const consentsRoute = createRoute({
  getParentRoute: () => patientRoute,
  path: 'consents',
  staticData: { needs: 'consents.view_org' },
  loader: (loading) => {
    const { context, params } = loading
    const of = { org_id: context.clinic?.id ?? '', patient_id: params.id }
    startRead(loading, 'GET /v1/organizations/{org_id}/patients/{patient_id}/consents', { params: of })
  },
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
