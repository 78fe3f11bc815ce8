import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { type List, listOf, type RequestOptions, type UntypedRequest } from '@tendon/sdk'
import { api, type Routes } from './client.ts'
import { MAX_PAGE_ROWS, wholeList } from './whole-list.ts'

export type Route = keyof Routes
export type AnswerOf<Name extends Route> = Routes[Name]['answer']
export type ItemOf<Name extends Route> = Awaited<ReturnType<typeof listOf<AnswerOf<Name> & object>>>['items'][number]
export type CallOf<Name extends Route> = RequestOptions<Routes[Name]>

export interface ReadOptions {
  enabled?: boolean
  /** The previous page of a list stays until the next has come. */
  keepPrevious?: boolean
  /** Milliseconds between two reads, for data that others change. */
  refreshEvery?: number | false
  staleTime?: number
}

/** Only a route with an ETag of its content is read again and again: most answers are then a 304. */
export type ReadOptionsOf<Name extends Route> = ReadOptions &
  (Routes[Name] extends { tagged: true } ? unknown : { refreshEvery?: never })

/** A call may be left out where the route needs none. */
export type MaybeCall<Name extends Route> =
  { answer: AnswerOf<Name> } extends Omit<Routes[Name], 'tagged'>
    ? [call?: CallOf<Name>, options?: ReadOptionsOf<Name>]
    : [call: CallOf<Name>, options?: ReadOptionsOf<Name>]

/** A request whose call is typed where it is written, such as in a page. */
export const send = <Answer>(route: Route, call: UntypedRequest): Promise<Answer> =>
  api.untyped(route, call) as Promise<Answer>

/** The key under which an answer is kept: the clinic first, so that nothing of one clinic is shown in another. */
export const readKey = (organization: string | undefined, route: Route, call: UntypedRequest = {}) =>
  [organization ?? null, route, call.params ?? {}, call.query ?? {}] as const

/** The part of a call that names the clinic: that of the component, also when the page has moved on to another. */
export const inClinic = (organization: string | undefined): { headers?: Record<string, string> } =>
  organization === undefined ? {} : { headers: { 'x-organization-id': organization } }

export const callIn = (organization: string | undefined, call: UntypedRequest): UntypedRequest =>
  organization === undefined ? call : { ...call, headers: { ...inClinic(organization).headers, ...call.headers } }

/** One read, for a component and for the loader of its route: both share the answer by its key. */
export function readOptions<Answer>(
  organization: string | undefined,
  route: Route,
  call: UntypedRequest,
  options: ReadOptions = {},
) {
  return {
    queryKey: readKey(organization, route, call),
    queryFn: ({ signal }: { signal: AbortSignal }) => send<Answer>(route, { ...callIn(organization, call), signal }),
    enabled: options.enabled ?? true,
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(options.refreshEvery === undefined ? {} : { refetchInterval: options.refreshEvery }),
    ...(options.staleTime === undefined ? {} : { staleTime: options.staleTime }),
  }
}

/** Like `readOptions`, for all pages of a list. */
export function wholeListOptions<Name extends Route>(
  client: QueryClient,
  organization: string | undefined,
  route: Name,
  given: UntypedRequest,
  options: ReadOptions = {},
) {
  const query = { limit: MAX_PAGE_ROWS, ...given.query }
  const { queryKey, ...settings } = readOptions<AnswerOf<Name>>(organization, route, { ...given, query }, options)
  return {
    ...settings,
    queryKey: [...queryKey, 'whole'],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<List<ItemOf<Name>>> =>
      wholeList(async (page) =>
        listOf(
          await send<AnswerOf<Name> & object>(route, {
            ...callIn(organization, given),
            query: page === 1 ? query : { ...query, page },
            signal,
          }),
        ),
      ),
    // The first page may have come with the document.
    initialData: () => {
      const first = client.getQueryData<AnswerOf<Name> & object>(queryKey)
      const list = first && listOf(first)
      return list && list.items.length === list.total ? list : undefined
    },
    initialDataUpdatedAt: () => client.getQueryState(queryKey)?.dataUpdatedAt,
  }
}
