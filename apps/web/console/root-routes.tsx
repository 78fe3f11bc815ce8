import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { ClinicPages } from '#ui/session/clinic-pages.tsx'
import { clinicsOf, enterClinic } from '#ui/session/clinics.ts'
import { PermittedOutlet } from '#ui/session/needs.tsx'
import { NoClinicPage } from '#ui/session/no-clinic-page.tsx'
import { SignInPage } from '#ui/session/sign-in-page.tsx'
import { SignedInPage } from '#ui/session/signed-in-page.tsx'
import type { AppContext } from '#ui/start.tsx'
import { ConsoleFrame } from './console-frame.tsx'

export const rootRoute = createRootRouteWithContext<AppContext>()({ component: Outlet })

/** Goes on to the clinic where the person worked last; without one, says so. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    const clinics = me ? clinicsOf(me) : []
    const last = clinics.find(({ id }) => id === me?.current_organization?.id) ?? clinics[0]
    if (last) throw redirect({ to: '/$clinic', params: { clinic: last.slug }, replace: true })
  },
  component: function Start() {
    const { me } = startRoute.useRouteContext()
    return me ? <NoClinicPage me={me} /> : <SignInPage />
  },
})

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'signed-in',
  component: SignedInPage,
})

/** The parent of every page inside a clinic. */
export const clinicRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$clinic',
  beforeLoad: enterClinic,
  component: function InClinic() {
    const { clinic } = clinicRoute.useRouteContext()
    return <ClinicPages clinic={clinic} frame={ConsoleFrame} outlet={PermittedOutlet} signIn={SignInPage} />
  },
})
