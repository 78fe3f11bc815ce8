import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Me } from '@tendon/sdk'
import { api } from '../api/client.ts'
import { useClinicId } from './clinic.tsx'
import { mayWith } from './permission.ts'

/**
 * The core API writes the response of /v1/me into the page; null when nobody is signed in, undefined when it was not
 * written, 'offline' when the page came from the service worker.
 */
export function embeddedMe(): Me | null | 'offline' | undefined {
  const text = document.getElementById('me')?.textContent
  if (!text) return undefined
  const embedded = JSON.parse(text) as { data: Me } | 'offline' | null
  return typeof embedded === 'string' ? embedded : (embedded?.data ?? null)
}

/** The rights in `permissions` are those in the clinic that is asked for. */
export const meOptions = (organization: string | undefined) =>
  queryOptions({
    queryKey: [organization ?? null, 'me'],
    queryFn: async () =>
      (await api('GET /v1/me', organization === undefined ? {} : { headers: { 'x-organization-id': organization } }))
        .data,
    staleTime: 60_000,
  })

/** The signed-in person, as the clinic of this page sees them. */
export function useMe(): Me {
  const { data } = useQuery(meOptions(useClinicId()))
  if (!data) throw new Error('nobody is signed in on this page')
  return data
}

/** Whether this is the signed-in person, in this tab or another. */
export function useIsSelf(principalId: string | undefined): boolean {
  const { data } = useQuery({ ...meOptions(useClinicId()), enabled: principalId !== undefined })
  return data !== undefined && data.principal_id === principalId
}

/** Whether the person holds a permission here. The API decides; this only hides what would be refused. */
export function useMay(): (permission: string) => boolean {
  return mayWith(useMe().permissions)
}
