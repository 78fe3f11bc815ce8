import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { ClinicPages } from '#ui/session/clinic-pages.tsx'
import { clinicsOf, enterClinic } from '#ui/session/clinics.ts'
import { NoClinicPage } from '#ui/session/no-clinic-page.tsx'
import { SignInPage } from '#ui/session/sign-in-page.tsx'
import { SignedInPage } from '#ui/session/signed-in-page.tsx'
import type { AppContext } from '#ui/start.tsx'
import { ClinicSignIn } from './frame/clinic-sign-in.tsx'
import { NotAPatientPage } from './frame/not-a-patient-page.tsx'
import { PortalFrame } from './portal-frame.tsx'

export const rootRoute = createRootRouteWithContext<AppContext>()({ component: Outlet })

/** Goes on to the first clinic; without one, says so. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    const [first] = me ? clinicsOf(me) : []
    if (first) throw redirect({ to: '/$clinic', params: { clinic: first.slug }, replace: true })
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
  beforeLoad: async (route) => {
    const { me } = route.context
    const isPatient = me && clinicsOf(me).some(({ slug }) => slug === route.params.clinic)
    return isPatient ? enterClinic(route) : { clinic: null }
  },
  component: function InClinic() {
    const { clinic, me } = clinicRoute.useRouteContext()
    return <ClinicPages clinic={clinic} frame={PortalFrame} signIn={me ? NotAPatientPage : ClinicSignIn} />
  },
})
