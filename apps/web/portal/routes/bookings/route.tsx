import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { startRead } from '#ui/session/load.ts'
import { bookingSearch } from '../../parts/book/booking-search.ts'
import { rootRoute } from '../../root-routes.tsx'

/** The link in the mail of a booking. Anyone with the link can view, move and cancel that booking. */
export const bookingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'bookings/$token',
  loader: (loading) =>
    startRead(loading, 'GET /v1/public/bookings/{token}', { params: { token: loading.params.token } }),
  component: lazyRouteComponent(() => import('./booking-page.tsx'), 'BookingPage'),
})

export const moveBookingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'bookings/$token/move',
  validateSearch: bookingSearch,
  loader: (loading) =>
    startRead(loading, 'GET /v1/public/bookings/{token}', { params: { token: loading.params.token } }),
  component: lazyRouteComponent(() => import('./move-booking-page.tsx'), 'MoveBookingPage'),
})
