import { createRouter } from '@tanstack/react-router'
import { CrashPage, NotFoundPage } from '#ui/frame/route-pages.tsx'
import type { AppContext } from '#ui/start.tsx'
import { clinicRoute, rootRoute, signedInRoute, startRoute } from './root-routes.tsx'
import { calendarRoute } from './routes/calendar/route.tsx'
import { patientRecordRoute, patientsRoute } from './routes/patients/route.tsx'
import { privacyNoticeRoute } from './routes/privacy-notice/route.tsx'
import { sessionRunsRoute } from './routes/session-runs/list-route.tsx'
import { reviewRoute } from './routes/session-runs/review-route.tsx'
import { settingsRoutes } from './routes/settings/route.tsx'
import { todayRoute } from './routes/today/route.tsx'

// The table of contents of the console: one line per page.
const routeTree = rootRoute.addChildren([
  startRoute,
  signedInRoute,
  clinicRoute.addChildren([
    todayRoute,
    privacyNoticeRoute,
    calendarRoute,
    sessionRunsRoute,
    reviewRoute,
    patientsRoute,
    patientRecordRoute,
    settingsRoutes,
  ]),
])

export const createConsoleRouter = (context: AppContext) =>
  createRouter({
    routeTree,
    context,
    basepath: '/console',
    defaultPreload: 'intent',
    // Nothing of one record is kept on the page of the next.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
  })
