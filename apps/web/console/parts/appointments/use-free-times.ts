import { useQuery } from '@tanstack/react-query'
import type { ApiError } from '@tendon/sdk'
import { api, type Routes } from '#ui/api/client.ts'
import { inClinic, readKey } from '#ui/api/queries.ts'
import { useClinicId } from '#ui/session/clinic.tsx'
import { allFreeTimes, type FreeTimes, MAX_SLOTS } from './all-free-times.ts'

const ROUTE = 'GET /v1/availability'
type Wanted = Omit<Routes[typeof ROUTE]['query'], 'limit' | 'explain'>

/** The free times of a service until `until`, all of them, and the number of free times of each day until `wanted.to`. */
export function useFreeTimes(wanted: Wanted, { until = wanted.to, enabled = true } = {}) {
  const organization = useClinicId()
  return useQuery<FreeTimes, ApiError>({
    queryKey: [...readKey(organization, ROUTE, { query: wanted }), until],
    queryFn: ({ signal }) =>
      allFreeTimes(
        (from) =>
          api(ROUTE, {
            query: { ...wanted, from, limit: MAX_SLOTS },
            ...inClinic(organization),
            signal,
          }),
        wanted.from,
        until,
      ),
    enabled,
  })
}
