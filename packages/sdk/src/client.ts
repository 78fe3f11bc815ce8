import { ApiError } from './api-error.ts'
import { isOfContent, keptAnswers } from './kept-answers.ts'
import { type ItemOf, type List, listOf } from './list.ts'
import type { Routes } from './routes.gen.ts'

/** What a call adds to the parameters, query and body of its route. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  headers?: Record<string, string> | undefined
  /** Identifies one action of a user. Pass the same key when the user repeats the action. */
  idempotencyKey?: string | undefined
  /** The version that was read: the write is refused if it is no longer the current one. */
  ifMatch?: string | number | undefined
  /** The browser finishes the request after its page was closed. Bodies of up to 64 KB. */
  keepalive?: boolean | undefined
}
/** What the table says about a route, beside what is sent. */
type NotSent = 'versioned' | 'tagged'
export type RequestOptions<Route> = Route extends unknown ? Omit<Route, 'answer' | NotSent> & CallOptions : never
type AnswerOf<Route> = Route extends { answer: infer Answer } ? Answer : never
/** The same routes for a client that always says which version it read. */
export type WithVersions<Table> = {
  [Name in keyof Table]: Table[Name] extends { versioned: true } ? Table[Name] & ReadVersion : Table[Name]
}
type ReadVersion = { ifMatch: string | number } | { body: { version: number } } | { body: { revision: number } }
type Arguments<Route> =
  { answer: AnswerOf<Route> } extends Omit<Route, NotSent>
    ? [options?: RequestOptions<Route>]
    : [options: RequestOptions<Route>]

export interface ClientOptions {
  /** Without it: the page's own origin. */
  baseUrl?: string
  /** Names the web app whose session cookie is used: `X-Tendon-Web`. */
  app?: string
  /** The organization of the page: `X-Organization-ID`. */
  organization?: () => string | undefined
  /** A bearer token; without it the session cookie is used. */
  token?: () => string | undefined
  /** Resolves to true when the user has signed in again: the request is then repeated. Concurrent requests share one call. */
  onUnauthenticated?: (error: ApiError) => Promise<boolean>
  /** Resolves to true when the user has accepted the texts: the request is then repeated. Concurrent requests share one call. */
  onConsentRequired?: (error: ApiError) => Promise<boolean>
  /** A read waits for these seconds and is then repeated, once. Writes fail at once, with `retryAfter`. */
  onWait?: (seconds: number, error: ApiError) => void
  /** For tests. */
  fetch?: typeof fetch
  wait?: (seconds: number) => Promise<void>
}

export interface Client<Table = Routes> {
  <Name extends keyof Table>(route: Name, ...args: Arguments<Table[Name]>): Promise<AnswerOf<Table[Name]>>
  /** The same for a list, in one shape. */
  list: <Name extends keyof Table>(
    route: Name,
    ...args: Arguments<Table[Name]>
  ) => Promise<List<ItemOf<AnswerOf<Table[Name]>>>>
  /** The answer as it arrives: for downloads, streams and headers. */
  response: <Name extends keyof Table>(route: Name, ...args: Arguments<Table[Name]>) => Promise<Response>
  /** Any route, for code whose own callers are typed by the table. */
  untyped: (route: keyof Table, request?: UntypedRequest) => Promise<unknown>
}

export interface UntypedRequest extends CallOptions {
  params?: unknown
  query?: object
  body?: unknown
}

interface AnyRequest extends CallOptions {
  params?: Record<string, unknown>
  query?: Record<string, string | number | boolean | null | undefined>
  body?: unknown
}
type Sent = Omit<RequestInit, 'headers'> & { method: string; headers: Record<string, string> }
interface Prepared {
  url: string
  init: Sent
}

/** Longer waits are for the user to decide about. */
const MAX_WAIT_SECONDS = 30
const MAX_REPEATS = 3

export function createClient<Table = Routes>(options: ClientOptions = {}): Client<Table> {
  const { onUnauthenticated, onConsentRequired, onWait, wait = sleep } = options
  const signIn = onUnauthenticated && shared(onUnauthenticated)
  const gate = onConsentRequired && shared(onConsentRequired)
  const kept = keptAnswers()

  /** Sends a read with the ETag of the kept answer, and returns that answer while it is the same. */
  async function exchange(url: string, init: Sent): Promise<Response> {
    const key = `${init.headers['x-organization-id'] ?? ''} ${url}`
    const canKeep = init.method === 'GET' && init.headers['if-none-match'] === undefined
    const last = canKeep ? kept.get(key) : undefined
    const headers = last ? { ...init.headers, 'if-none-match': last.etag } : init.headers
    const response = await (options.fetch ?? fetch)(url, { ...init, headers }).catch(noAnswer)
    if (last && response.status === 304) return new Response(last.text, { headers: last.headers })
    const etag = response.headers.get('etag')
    if (!canKeep || !response.ok || !etag || !isOfContent(etag) || !holdsJson(response)) return response
    const text = await response.text().catch(noAnswer)
    kept.keep(key, { etag, text, headers: response.headers })
    return new Response(text, { headers: response.headers })
  }

  async function send(route: PropertyKey, given: AnyRequest = {}): Promise<Response> {
    const { url, init } = prepare(String(route), given, options)
    let waited = false
    for (let repeats = 0; ; repeats++) {
      const response = await exchange(url, withSession(init, options))
      if (response.ok) return response
      const error = new ApiError(response.status, await bodyOf(response), response.headers)
      const ask = error.status === 401 ? signIn : error.status === 412 ? gate : undefined
      const waits = init.method === 'GET' && !waited && (error.status === 429 || error.status === 503)
      if (ask && repeats < MAX_REPEATS) {
        if (!(await ask(error))) throw error
      } else if (waits && error.retryAfter !== undefined && error.retryAfter <= MAX_WAIT_SECONDS) {
        waited = true
        onWait?.(error.retryAfter, error)
        await wait(error.retryAfter)
        given.signal?.throwIfAborted()
      } else throw error
    }
  }

  const call = async (route: PropertyKey, given?: AnyRequest) => bodyOf(await send(route, given))
  const list = async (route: PropertyKey, given?: AnyRequest) => listOf((await call(route, given)) as object)
  return Object.assign(call, { list, response: send, untyped: call }) as unknown as Client<Table>
}

/** What stays the same when the request is repeated, with its Idempotency-Key. */
function prepare(route: string, given: AnyRequest, { baseUrl = '' }: ClientOptions): Prepared {
  const [method = 'GET', path = ''] = route.split(' ')
  const { params = {}, query = {}, body, signal, idempotencyKey, ifMatch, keepalive } = given
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.append(name, `${value}`)
  }
  const isJson = body !== undefined && !isRaw(body)
  const headers: Record<string, string> = {
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...(method === 'POST' ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}),
    ...(ifMatch === undefined ? {} : { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
    ...given.headers,
  }
  const sent = body === undefined ? undefined : isJson ? JSON.stringify(body) : (body as RequestInit['body'])
  const url = `${baseUrl}${filled}${search.size > 0 ? `?${search.toString()}` : ''}`
  return {
    url,
    init: {
      method,
      headers,
      ...(sent ? { body: sent } : {}),
      ...(signal ? { signal } : {}),
      ...(keepalive ? { keepalive } : {}),
    },
  }
}

/** Read at each attempt: a sign-in may have changed the token. */
function withSession(init: Sent, { app, organization, token }: ClientOptions): Sent {
  const id = organization?.()
  const bearer = token?.()
  const headers = {
    ...(app ? { 'x-tendon-web': app } : {}),
    ...(id ? { 'x-organization-id': id } : {}),
    ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
    ...init.headers,
  }
  return { ...init, headers, credentials: bearer ? 'omit' : 'same-origin' }
}

/** 204: nothing. JSON: its value. Anything else: a Blob. */
async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  if (!holdsJson(response)) return response.ok ? response.blob() : undefined
  return response.json().catch(() => undefined)
}

const holdsJson = ({ headers }: Response): boolean => headers.get('content-type')?.includes('json') ?? false

function noAnswer(cause: unknown): never {
  if (cause instanceof Error && cause.name === 'AbortError') throw cause
  throw Object.assign(new ApiError(0, { error: { code: 'network', message: 'There was no answer.' } }), { cause })
}

/** One call at a time: those who come while it runs get its result. */
function shared(ask: (error: ApiError) => Promise<boolean>): (error: ApiError) => Promise<boolean> {
  let running: Promise<boolean> | undefined
  async function askOnce(error: ApiError): Promise<boolean> {
    try {
      return await ask(error)
    } finally {
      running = undefined
    }
  }
  return (error) => (running ??= askOnce(error))
}

const isRaw = (body: unknown): boolean =>
  typeof body === 'string' ||
  body instanceof Blob ||
  body instanceof FormData ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body)

const sleep = (seconds: number) => new Promise<void>((done) => setTimeout(done, seconds * 1000))
