import { createRootRouteWithContext, createRoute, Outlet } from '@tanstack/react-router'
import { NoClinicPage } from '#ui/session/no-clinic-page.tsx'
import { SignInPage } from '#ui/session/sign-in-page.tsx'
import { SignedInPage } from '#ui/session/signed-in-page.tsx'
import type { AppContext } from '#ui/start.tsx'
import { PlatformFrame } from './platform-frame.tsx'

export const rootRoute = createRootRouteWithContext<AppContext>()({ component: Outlet })

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'signed-in',
  component: SignedInPage,
})

/** The parent of every page of the platform. */
export const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'operator',
  component: function ForOperators() {
    const { me } = operatorRoute.useRouteContext()
    if (!me) return <SignInPage />
    if (!me.is_superadmin) return <NoClinicPage me={me} />
    return (
      <PlatformFrame>
        <Outlet />
      </PlatformFrame>
    )
  },
})
