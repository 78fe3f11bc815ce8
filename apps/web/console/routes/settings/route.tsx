import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '#ui/data-list/list-search.ts'
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
  staticData: { needs: null },
  component: lazyRouteComponent(() => import('./general-tab.tsx'), 'GeneralTab'),
})

const servicesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'services',
  staticData: { needs: 'services.view_org' },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./services/services-tab.tsx'), 'ServicesTab'),
})

const hoursRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'hours',
  staticData: { needs: 'calendars.view_org' },
  component: lazyRouteComponent(() => import('./hours/hours-tab.tsx'), 'HoursTab'),
})

const exercisesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'exercises',
  staticData: { needs: 'exercises.manage_org' },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./exercises/exercises-tab.tsx'), 'ExercisesTab'),
})

const exerciseRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'exercises/$exerciseId',
  staticData: { needs: 'exercises.manage_org' },
  component: lazyRouteComponent(() => import('./exercises/exercise-tab.tsx'), 'ExerciseTab'),
})

export const settingsRoutes = settingsRoute.addChildren([
  generalRoute,
  servicesRoute,
  hoursRoute,
  exercisesRoute,
  exerciseRoute,
])
