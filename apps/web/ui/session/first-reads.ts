import type { QueryClient } from '@tanstack/react-query'
import type { Me } from '@tendon/sdk'
import { type Route, readKey } from '../api/queries.ts'
import { clinicsOf } from './clinics.ts'

interface FirstRead {
  route: Route
  params?: unknown
  query?: object
  answer: unknown
}

/** The core API writes the responses to a page's first reads into the page, so that it sends no requests for them. */
export function takeFirstReads(queryClient: QueryClient, me: Me | null): void {
  const text = document.getElementById('reads')?.textContent
  if (!text) return
  const slug = location.pathname.split('/')[2]
  const organization = me ? clinicsOf(me).find((clinic) => clinic.slug === slug)?.id : undefined
  for (const { route, answer, ...call } of JSON.parse(text) as FirstRead[])
    queryClient.setQueryData(readKey(organization, route, call), answer)
}
