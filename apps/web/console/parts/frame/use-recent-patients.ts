import { useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '#ui/api/queries.ts'
import { useClinicId } from '#ui/session/clinic.tsx'

const ROUTE = 'GET /v1/patients/{id}'
const SHOWN = 5

/** The records that were opened last, newest first: those that the tab still holds in memory. Nothing is stored. */
export function useRecentPatients(): readonly { id: string; name: string }[] {
  const client = useQueryClient()
  const organization = useClinicId()
  return client
    .getQueriesData<AnswerOf<typeof ROUTE>>({ queryKey: [organization ?? null, ROUTE] })
    .map(([key, answer]) => ({ patient: answer?.data, at: client.getQueryState(key)?.dataUpdatedAt ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .flatMap(({ patient }) => (patient ? [{ id: patient.id, name: patient.name }] : []))
    .slice(0, SHOWN)
}
