import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { bookingSearch } from '../../parts/book/booking-search.ts'
import { rootRoute } from '../../root-routes.tsx'

/** The link in the mail of a booking. Anyone with the link can view, move and cancel that booking. */
export const bookingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'bookings/$token',
  component: lazyRouteComponent(() => import('./booking-page.tsx'), 'BookingPage'),
})

export const moveBookingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'bookings/$token/move',
  validateSearch: bookingSearch,
  component: lazyRouteComponent(() => import('./move-booking-page.tsx'), 'MoveBookingPage'),
})
