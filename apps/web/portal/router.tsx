import { createRouter } from '@tanstack/react-router'
import { CrashPage, NotFoundPage } from '#ui/frame/route-pages.tsx'
import type { AppContext } from '#ui/start.tsx'
import { clinicRoute, rootRoute, signedInRoute, startRoute } from './root-routes.tsx'
import { bookRoute } from './routes/book/route.tsx'
import { bookingRoute, moveBookingRoute } from './routes/bookings/route.tsx'
import { formRoute, formsRoute } from './routes/forms/route.tsx'
import { meRoutes } from './routes/me/route.tsx'
import { progressRoute } from './routes/progress/route.tsx'
import { playerRoute, runRoute } from './routes/session-runs/route.tsx'
import { todayRoute } from './routes/today/route.tsx'
import { moveVisitRoute, newVisitRoute, visitsRoute } from './routes/visits/route.tsx'
import { waitlistOfferRoute } from './routes/waitlist-offers/route.tsx'

// The table of contents of the portal: one line per page.
const routeTree = rootRoute.addChildren([
  startRoute,
  signedInRoute,
  bookRoute,
  bookingRoute,
  moveBookingRoute,
  waitlistOfferRoute,
  clinicRoute.addChildren([
    todayRoute,
    visitsRoute,
    newVisitRoute,
    moveVisitRoute,
    formsRoute,
    formRoute,
    progressRoute,
    ...meRoutes,
  ]),
  playerRoute.addChildren([runRoute]),
])

export const createPortalRouter = (context: AppContext) =>
  createRouter({
    routeTree,
    context,
    basepath: '/portal',
    defaultPreload: 'intent',
    // Nothing of one record is kept on the page of the next.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
  })
