import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '#ui/data-list/list-search.ts'
import { clinicRoute } from '../../root-routes.tsx'

const settingsRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})

const generalRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./general-tab.tsx'), 'GeneralTab'),
})

const servicesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'services',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./services/services-tab.tsx'), 'ServicesTab'),
})

const hoursRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'hours',
  component: lazyRouteComponent(() => import('./hours/hours-tab.tsx'), 'HoursTab'),
})

const exercisesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'exercises',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./exercises/exercises-tab.tsx'), 'ExercisesTab'),
})

const exerciseRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'exercises/$exerciseId',
  component: lazyRouteComponent(() => import('./exercises/exercise-tab.tsx'), 'ExerciseTab'),
})

export const settingsRoutes = settingsRoute.addChildren([
  generalRoute,
  servicesRoute,
  hoursRoute,
  exercisesRoute,
  exerciseRoute,
])
