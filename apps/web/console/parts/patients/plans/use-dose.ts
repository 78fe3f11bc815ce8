import { useQueryClient } from '@tanstack/react-query'
import type { Exercise } from '@tendon/sdk'
import { api } from '#ui/api/client.ts'
import { inClinic, readKey } from '#ui/api/queries.ts'
import { useClinicId } from '#ui/session/clinic.tsx'

const KEPT_MS = 10 * 60_000

/** The usual dose of an exercise; null when it has none or it cannot be loaded. */
export function useDose(): (exerciseId: string) => Promise<Exercise['default_dose']> {
  const organization = useClinicId()
  const client = useQueryClient()
  return async (id) => {
    const call = { params: { id }, ...inClinic(organization) }
    try {
      const { data: exercise } = await client.fetchQuery({
        queryKey: readKey(organization, 'GET /v1/exercises/{id}', call),
        queryFn: () => api('GET /v1/exercises/{id}', call),
        staleTime: KEPT_MS,
      })
      return exercise.default_dose
    } catch {
      return null
    }
  }
}
