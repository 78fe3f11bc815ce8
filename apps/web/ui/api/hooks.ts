import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ApiError, type List, listOf, type UntypedRequest } from '@tendon/sdk'
import { useState } from 'react'
import { useClinicId } from '../session/clinic.tsx'
import {
  type AnswerOf,
  type CallOf,
  callIn,
  type ItemOf,
  type MaybeCall,
  type Route,
  readOptions,
  send,
  wholeListOptions,
} from './queries.ts'
import { createWrites } from './writes.ts'

/** Reads from the API in the clinic of this page. */
export function useRead<Name extends Route>(route: Name, ...[call, options]: MaybeCall<Name>) {
  const organization = useClinicId()
  return useQuery<AnswerOf<Name>, ApiError>(readOptions(organization, route, call ?? {}, options))
}

/** Like `useRead`, for lists: returns `{items, total, page, pageSize}` for every shape of list in the API. */
export function useList<Name extends Route>(route: Name, ...[call, options]: MaybeCall<Name>) {
  const organization = useClinicId()
  const query = readOptions<AnswerOf<Name>>(organization, route, call ?? {}, {
    keepPrevious: true,
    ...options,
  })
  return useQuery<AnswerOf<Name>, ApiError, List<ItemOf<Name>>>({
    ...query,
    select: (answer) => listOf(answer as object),
  })
}

/** Like `useList`, for all pages: `data` is the whole list, and undefined until all of it has come. */
export function useWholeList<Name extends Route>(route: Name, ...[call, options]: MaybeCall<Name>) {
  const organization = useClinicId()
  const client = useQueryClient()
  return useQuery<List<ItemOf<Name>>, ApiError>(wholeListOptions(client, organization, route, call ?? {}, options))
}

export interface WriteOptions<Answer> {
  /** Reads whose URL starts with one of these are read again, such as '/v1/patients'. */
  refresh?: readonly string[]
  onDone?: (answer: Answer) => void
}

/** Writes to the API. A second press before the answer, as in a double click, sends nothing (`createWrites`). */
export function useWrite<Name extends Route>(route: Name, options: WriteOptions<AnswerOf<Name>> = {}) {
  const organization = useClinicId()
  const refresh = useRefresh()
  const [writes] = useState(createWrites)
  const mutation = useMutation<AnswerOf<Name>, ApiError, CallOf<Name>>({
    mutationFn: (call) => {
      const given: UntypedRequest = call
      return send<AnswerOf<Name>>(route, { idempotencyKey: writes.keyOf(given), ...callIn(organization, given) })
    },
    onError: (_, call) => writes.fail(call),
    onSuccess: async (answer, call) => {
      writes.succeed(call)
      await refresh(options.refresh ?? [])
      options.onDone?.(answer)
    },
  })
  const mutate: typeof mutation.mutate = (...call) => {
    if (writes.start(call[0] ?? {})) mutation.mutate(...call)
  }
  return { ...mutation, mutate, route }
}

/** Data of these URLs is read again when a page shows it the next time. */
export function useMarkStale(): (prefixes: readonly string[]) => void {
  const client = useQueryClient()
  return (prefixes) =>
    void client.invalidateQueries({
      predicate: ({ queryKey }) => prefixes.some((prefix) => pathOf(queryKey[1]).startsWith(prefix)),
      refetchType: 'none',
    })
}

/** Reloads the shown data of these URLs: `refresh(['/v1/patients'])`. */
export function useRefresh(): (prefixes: readonly string[]) => Promise<void> {
  const client = useQueryClient()
  return (prefixes) =>
    client.invalidateQueries({
      predicate: ({ queryKey }) => prefixes.some((prefix) => pathOf(queryKey[1]).startsWith(prefix)),
    })
}

const pathOf = (route: unknown): string => String(route).split(' ')[1] ?? ''
