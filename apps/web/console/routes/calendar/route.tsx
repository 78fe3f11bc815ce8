import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withFilters } from '#ui/data-list/list-search.ts'
import { needsOf } from '../../pages.ts'
import { clinicRoute } from '../../root-routes.tsx'

export const calendarRoute = createRoute({
  getParentRoute: () => clinicRoute,
  path: 'calendar',
  staticData: { needs: needsOf('/$clinic/calendar') },
  validateSearch: withFilters('day', 'span', 'specialist', 'free', 'visit'),
  component: lazyRouteComponent(() => import('./calendar-page.tsx'), 'CalendarPage'),
})
