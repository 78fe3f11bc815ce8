import { feature } from '../../../feature.ts'
import { calendarConstraints } from './errors.ts'
import { calendarRoutes } from './routes.ts'

export const calendars = feature({
  routes: [calendarRoutes],
  constraints: calendarConstraints,
})
