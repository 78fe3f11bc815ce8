import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ApiError, SafetyFinding } from '@tendon/sdk'
import { useEffect, useState } from 'react'
import { api } from '#ui/api/client.ts'
import { inClinic } from '#ui/api/queries.ts'
import { useClinicId } from '#ui/session/clinic.tsx'

const WAIT_MS = 250

export interface Safety {
  findingsOf: (exerciseId: string) => readonly SafetyFinding[]
  /** The most severe finding; undefined when there is none. */
  levelOf: (exerciseId: string) => SafetyFinding['level'] | undefined
  isChecking: boolean
  /** Runs the check again for the same exercises. */
  recheck: () => void
  error: ApiError | null
}

const LEVELS = ['block', 'reason', 'notice'] as const
const NONE: readonly SafetyFinding[] = []

/**
 * Runs the safety check for exercises, 250 ms after the last change of the list. `alone`: the exercises are not a session, so
 * rules about earlier exercises do not apply.
 */
export function useSafety(patientId: string, exerciseIds: readonly string[], { alone = false } = {}): Safety {
  const organization = useClinicId()
  const wanted = exerciseIds.join(',')
  const [asked, setAsked] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), WAIT_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  const { data, error, isFetching, refetch } = useQuery<Map<string, SafetyFinding[]>, ApiError>({
    queryKey: [organization ?? null, 'POST /v1/treatment-plans/safety-check', patientId, asked],
    queryFn: async ({ signal }) => {
      const results = await api('POST /v1/treatment-plans/safety-check', {
        body: { patient_id: patientId, exercise_ids: asked.split(',') },
        signal,
        ...inClinic(organization),
      })
      return new Map(results.data.map(({ exercise_id, findings }) => [exercise_id, findings]))
    },
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const findingsOf = (id: string) => {
    const findings = data?.get(id) ?? NONE
    return alone ? findings.filter(({ kind }) => kind === 'contraindication') : findings
  }
  return {
    findingsOf,
    levelOf: (id) => LEVELS.find((level) => findingsOf(id).some((finding) => finding.level === level)),
    isChecking: isFetching || asked !== wanted,
    recheck: () => {
      if (asked !== '') void refetch()
    },
    error,
  }
}
