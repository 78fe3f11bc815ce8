import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ApiError, type List, listOf, type RequestOptions } from '@tendon/sdk'
import { useRef } from 'react'
import { useClinicId } from '../session/clinic.tsx'
import { api, type Routes } from './client.ts'
import { MAX_PAGE_ROWS, wholeList } from './whole-list.ts'

export type Route = keyof Routes
export type AnswerOf<Name extends Route> = Routes[Name]['answer']
export type ItemOf<Name extends Route> = Awaited<ReturnType<typeof listOf<AnswerOf<Name> & object>>>['items'][number]
type Call<Name extends Route> = RequestOptions<Routes[Name]>
/** A call may be left out where the route needs none. */
type MaybeCall<Name extends Route> = { answer: AnswerOf<Name> } extends Routes[Name]
  ? [call?: Call<Name>, options?: ReadOptions]
  : [call: Call<Name>, options?: ReadOptions]

export interface ReadOptions {
  enabled?: boolean
  /** The previous page of a list stays until the next has come. */
  keepPrevious?: boolean
  /** Milliseconds between two reads, for data that others change. */
  refreshEvery?: number | false
  staleTime?: number
}

type AnyCall = { params?: unknown; query?: object; headers?: Record<string, string> }
type AnyApi = (route: Route, call: unknown) => Promise<unknown>

/** The key under which an answer is kept: the clinic first, so that nothing of one clinic is shown in another. */
export const readKey = (organization: string | undefined, route: Route, call: AnyCall = {}) =>
  [organization ?? null, route, call.params ?? {}, call.query ?? {}] as const

/** The clinic is that of the component, also for an answer that comes when the tab has moved on to another. */
const inClinic = (organization: string | undefined, call: AnyCall): AnyCall =>
  organization === undefined ? call : { ...call, headers: { 'x-organization-id': organization, ...call.headers } }

/** Reads from the API in the clinic of this page. */
export function useRead<Name extends Route>(route: Name, ...[call, options]: MaybeCall<Name>) {
  const organization = useClinicId()
  return useQuery<AnswerOf<Name>, ApiError>(queryOf(organization, route, (call ?? {}) as AnyCall, options))
}

/** Like `useRead`, for lists: returns `{items, total, page, pageSize}` for every shape of list in the API. */
export function useList<Name extends Route>(route: Name, ...[call, options]: MaybeCall<Name>) {
  const organization = useClinicId()
  const query = queryOf<AnswerOf<Name>>(organization, route, call ?? {}, {
    keepPrevious: true,
    ...options,
  })
  return useQuery<AnswerOf<Name>, ApiError, List<ItemOf<Name>>>({
    ...query,
    select: (answer) => listOf(answer as object),
  })
}

/** Like `useList`, for all pages: `data` is the whole list, and undefined until all of it has come. */
export function useWholeList<Name extends Route>(route: Name, ...[call, options = {}]: MaybeCall<Name>) {
  const organization = useClinicId()
  const client = useQueryClient()
  const given: AnyCall = call ?? {}
  const query = { limit: MAX_PAGE_ROWS, ...given.query }
  const { queryKey, ...settings } = queryOf<AnswerOf<Name>>(organization, route, { ...given, query }, options)
  const listKey = [...queryKey, 'whole']
  return useQuery<List<ItemOf<Name>>, ApiError>({
    ...settings,
    queryKey: listKey,
    queryFn: ({ signal }) =>
      wholeList(async (page) => {
        const answer = await (api as unknown as AnyApi)(route, {
          ...inClinic(organization, given),
          query: page === 1 ? query : { ...query, page },
          signal,
        })
        return listOf(answer as AnswerOf<Name> & object)
      }),
    // The first page may have come with the document.
    initialData: () => {
      const first = client.getQueryData<AnswerOf<Name> & object>(queryKey)
      const list = first && listOf(first)
      return list && list.items.length === list.total ? list : undefined
    },
    initialDataUpdatedAt: () => client.getQueryState(queryKey)?.dataUpdatedAt,
    placeholderData: options.keepPrevious ? keepPreviousData : undefined,
  })
}

function queryOf<Answer>(organization: string | undefined, route: Route, call: AnyCall, options: ReadOptions = {}) {
  return {
    queryKey: readKey(organization, route, call),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      (api as unknown as AnyApi)(route, { ...inClinic(organization, call), signal }) as Promise<Answer>,
    enabled: options.enabled ?? true,
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(options.refreshEvery === undefined ? {} : { refetchInterval: options.refreshEvery }),
    ...(options.staleTime === undefined ? {} : { staleTime: options.staleTime }),
  }
}

export interface WriteOptions<Answer> {
  /** Reads whose URL starts with one of these are read again, such as '/v1/patients'. */
  refresh?: readonly string[]
  onDone?: (answer: Answer) => void
}

/** Writes to the API. The idempotency key is kept until a write succeeds: pressing "save" again after a lost answer is safe. */
export function useWrite<Name extends Route>(route: Name, options: WriteOptions<AnswerOf<Name>> = {}) {
  const organization = useClinicId()
  const refresh = useRefresh()
  const key = useRef<{ of: string; value: string }>(undefined)
  const mutation = useMutation<AnswerOf<Name>, ApiError, Call<Name>>({
    mutationFn: (call) => {
      const given = call as AnyCall & { body?: unknown }
      const of = JSON.stringify([given.params, given.query, given.body])
      if (key.current?.of !== of) key.current = { of, value: crypto.randomUUID() }
      const send = { idempotencyKey: key.current.value, ...inClinic(organization, given) }
      return (api as unknown as AnyApi)(route, send) as Promise<AnswerOf<Name>>
    },
    onSuccess: async (answer) => {
      key.current = undefined
      await refresh(options.refresh ?? [])
      options.onDone?.(answer)
    },
  })
  return { ...mutation, route }
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
