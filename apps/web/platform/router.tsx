import { createRouter } from '@tanstack/react-router'
import { CrashPage, NotFoundPage } from '#ui/frame/route-pages.tsx'
import type { AppContext } from '#ui/start.tsx'
import { operatorRoute, rootRoute, signedInRoute } from './root-routes.tsx'
import { organizationRoute, organizationsRoute } from './routes/organizations/route.tsx'

// The table of contents of the platform: one line per page.
const routeTree = rootRoute.addChildren([
  signedInRoute,
  operatorRoute.addChildren([organizationsRoute, organizationRoute]),
])

export const createPlatformRouter = (context: AppContext) =>
  createRouter({
    routeTree,
    context,
    basepath: '/platform',
    defaultPreload: 'intent',
    // Nothing of one record is kept on the page of the next.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
  })
