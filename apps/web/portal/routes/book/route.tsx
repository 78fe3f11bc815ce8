import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { clinicsOf } from '#ui/session/clinics.ts'
import { bookingSearch } from '../../parts/book/booking-search.ts'
import { rootRoute } from '../../root-routes.tsx'

/** Booking without an account. Redirects signed-in patients of the clinic to their own booking page. */
export const bookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$clinic/book',
  validateSearch: bookingSearch,
  beforeLoad: ({ context: { me }, params: { clinic }, search }) => {
    if (me && clinicsOf(me).some(({ slug }) => slug === clinic))
      throw redirect({ to: '/$clinic/visits/new', params: { clinic }, search, replace: true })
  },
  component: lazyRouteComponent(() => import('./book-page.tsx'), 'BookPage'),
})
