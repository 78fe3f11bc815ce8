import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useClinicId } from '../session/clinic.tsx'
import type { ApiError } from './api-error.ts'
import { api, type Call } from './client.ts'

export interface ReadOptions {
  enabled?: boolean
  /** The previous page of a list stays until the next has come. */
  keepPrevious?: boolean
  /** Milliseconds between two reads, for what changes by itself. */
  refreshEvery?: number | false
  staleTime?: number
}

/** The key under which an answer is kept: the clinic first, so that nothing of one clinic is shown in another. */
export const readKey = (organization: string | null, route: string, call: Call = {}) =>
  [organization, route, call.params ?? {}, call.query ?? {}] as const

/** Reads from the API in the clinic of this tab. */
export function useRead<Answer>(route: string, call: Call = {}, options: ReadOptions = {}) {
  const clinic = useClinicId()
  const organization = call.organization === undefined ? clinic : call.organization
  return useQuery<Answer, ApiError>({
    queryKey: readKey(organization, route, call),
    queryFn: ({ signal }) => api<Answer>(route, { ...call, organization, signal }),
    enabled: options.enabled ?? true,
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(options.refreshEvery === undefined ? {} : { refetchInterval: options.refreshEvery }),
    ...(options.staleTime === undefined ? {} : { staleTime: options.staleTime }),
  })
}

export interface WriteOptions<Answer> {
  /** Reads whose URL starts with one of these are read again, such as '/v1/patients'. */
  refresh?: readonly string[]
  onDone?: (answer: Answer) => void
}

/** Writes to the API. The idempotency key is kept until a write succeeds: pressing "save" again after a lost answer is safe. */
export function useWrite<Answer = unknown>(route: string, options: WriteOptions<Answer> = {}) {
  const organization = useClinicId()
  const client = useQueryClient()
  const key = useRef<{ of: string; value: string }>(undefined)
  return useMutation<Answer, ApiError, Call>({
    mutationFn: (call) => {
      const of = JSON.stringify([call.params, call.query, call.body])
      if (key.current?.of !== of) key.current = { of, value: crypto.randomUUID() }
      return api<Answer>(route, { organization, idempotencyKey: key.current.value, ...call })
    },
    onSuccess: async (answer) => {
      key.current = undefined
      const refresh = options.refresh ?? []
      await client.invalidateQueries({
        predicate: ({ queryKey }) => refresh.some((prefix) => String(queryKey[1]).slice(4).startsWith(prefix)),
      })
      options.onDone?.(answer)
    },
  })
}
