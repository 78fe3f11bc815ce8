import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listQuery, listSearch } from '#ui/data-list/list-search.ts'
import { startRead, startWholeList } from '#ui/session/load.ts'
import { needsOf } from '../../pages.ts'
import { clinicRoute } from '../../root-routes.tsx'

const settingsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'settings',
  staticData: { needs: null },
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})

const generalRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  staticData: { needs: needsOf('/$clinic/settings') },
  loader: (loading) => {
    const params = { id: loading.context.clinic?.id ?? '' }
    startRead(loading, 'GET /v1/organizations/{id}/settings', { params })
    startRead(loading, 'GET /v1/organizations/{id}', { params })
  },
  component: lazyRouteComponent(() => import('./general-tab.tsx'), 'GeneralTab'),
})

const servicesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'services',
  staticData: { needs: needsOf('/$clinic/settings/services') },
  validateSearch: listSearch,
  loaderDeps: ({ search }) => listQuery(search, 'name'),
  loader: (loading) => startRead(loading, 'GET /v1/services', { query: loading.deps }),
  component: lazyRouteComponent(() => import('./services/services-tab.tsx'), 'ServicesTab'),
})

const hoursRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'hours',
  staticData: { needs: needsOf('/$clinic/settings/hours') },
  loader: (loading) => {
    startWholeList(loading, 'GET /v1/specialists', { query: { sort: 'name', include: 'human' } })
    startWholeList(loading, 'GET /v1/calendars')
  },
  component: lazyRouteComponent(() => import('./hours/hours-tab.tsx'), 'HoursTab'),
})

const exercisesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'exercises',
  staticData: { needs: needsOf('/$clinic/settings/exercises') },
  validateSearch: listSearch,
  loaderDeps: ({ search }) => ({ scope: 'org' as const, ...listQuery(search, 'name') }),
  loader: (loading) => startRead(loading, 'GET /v1/exercises', { query: loading.deps }),
  component: lazyRouteComponent(() => import('./exercises/exercises-tab.tsx'), 'ExercisesTab'),
})

const exerciseRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'exercises/$exerciseId',
  staticData: { needs: 'exercises.manage_org' },
  loader: (loading) => startRead(loading, 'GET /v1/exercises/{id}', { params: { id: loading.params.exerciseId } }),
  component: lazyRouteComponent(() => import('./exercises/exercise-tab.tsx'), 'ExerciseTab'),
})

export const settingsRoutes = settingsRoute.addChildren([
  generalRoute,
  servicesRoute,
  hoursRoute,
  exercisesRoute,
  exerciseRoute,
])
