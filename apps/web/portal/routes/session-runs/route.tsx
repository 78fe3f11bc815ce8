import { createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { ClinicPages } from '#ui/session/clinic-pages.tsx'
import { enterClinic } from '#ui/session/clinics.ts'
import { SignInPage } from '#ui/session/sign-in-page.tsx'
import { rootRoute } from '../../root-routes.tsx'

/** The player has no menu around it: one thing at a time. */
export const playerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$clinic/session-runs',
  beforeLoad: enterClinic,
  component: function InSession() {
    const { clinic } = playerRoute.useRouteContext()
    return <ClinicPages clinic={clinic} frame={PlainFrame} signIn={SignInPage} />
  },
})

export const runRoute = createRoute({
  getParentRoute: () => playerRoute,
  path: '$runId',
  component: lazyRouteComponent(() => import('./player-page.tsx'), 'PlayerPage'),
})

function PlainFrame({ children }: { children: React.ReactNode }) {
  return <main id="content">{children ?? <Outlet />}</main>
}
