import type { QueryClient } from '@tanstack/react-query'
import type { AnyRoute } from '@tanstack/react-router'
import type { Me } from '@tendon/sdk'
import { type MaybeCall, type Route, readOptions, wholeListOptions } from '../api/queries.ts'
import type { Clinic } from './clinic.tsx'
import { meOptions } from './me.ts'
import { mayEnter, mayWith } from './permission.ts'

/** What the loader of a route is called with. */
interface Loading {
  route: AnyRoute
  /** The pointer is on a link. To look at a record is logged, so nothing is read before somebody goes there. */
  preload: boolean
  /** Inside a clinic, `clinic` is null when nobody is signed in. */
  context: { queryClient: QueryClient; me: Me | null; clinic?: Clinic | null }
}

/**
 * For the `loader` of a route: sends the main read of its page while the file of the page is loading. The page reads with the
 * same call, so it finds the answer or waits for it, and shows an error as if it had asked itself.
 */
export function startRead<Name extends Route>(loading: Loading, route: Name, ...[call]: MaybeCall<Name>): void {
  const { queryClient } = loading.context
  if (mayRead(loading)) start(queryClient.ensureQueryData(readOptions(clinicOf(loading), route, call ?? {})))
}

/** Like `startRead`, for a page that shows a whole list. */
export function startWholeList<Name extends Route>(loading: Loading, route: Name, ...[call]: MaybeCall<Name>): void {
  const { queryClient } = loading.context
  if (!mayRead(loading)) return
  start(queryClient.ensureQueryData(wholeListOptions(queryClient, clinicOf(loading), route, call ?? {})))
}

const clinicOf = ({ context: { clinic } }: Loading) => clinic?.id

/** The page shows what went wrong, not the router. */
const start = (read: Promise<unknown>): void => void read.catch(() => undefined)

function mayRead({ route, preload, context: { queryClient, clinic } }: Loading): boolean {
  if (preload || clinic === null) return false
  const me = clinic && queryClient.getQueryData(meOptions(clinic.id).queryKey)
  return mayEnter(route, mayWith(me?.permissions ?? []))
}
