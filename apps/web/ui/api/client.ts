import { ApiError, errorOf } from './api-error.ts'
import { gates } from './gates.ts'

export interface Call {
  params?: Record<string, string | number> | undefined
  query?: Record<string, string | number | boolean | null | undefined | readonly string[]> | undefined
  body?: unknown
  /** The clinic whose data is meant; null: none. Default: the clinic in this tab's URL. */
  organization?: string | null | undefined
  /** Given by a form that may send the same action twice. Default: a new one for each call of a POST. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

const RETRY_MAX_SECONDS = 10

/** What each request of this tab carries. Set once at the start, and by the route of the clinic. */
export const tab: { app: 'console' | 'portal' | 'platform'; organization: string | null } = {
  app: 'console',
  organization: null,
}

/**
 * One request to the API. A 401 and a 412 open their gate over the page and the same request is sent again; a read waits for
 * a busy server once. Everything else that is not a 2xx is thrown as an ApiError.
 */
export async function api<Answer = unknown>(route: string, call: Call = {}): Promise<Answer> {
  const send = prepare(route, call)
  const isRead = route.startsWith('GET ')
  let waited = false
  for (;;) {
    const response = await send()
    if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Answer
    const error = await errorOf(response)
    if (error.status === 401 && (await gates.signIn())) continue
    if (error.status === 412 && (await gates.consent(error))) continue
    const busy = error.status === 429 || error.status === 503
    if (!busy || !isRead || waited || (error.retryAfter ?? 1) > RETRY_MAX_SECONDS) throw error
    waited = true
    await delay((error.retryAfter ?? 1) * 1000, call.signal)
  }
}

/** The response itself, for files and event streams. */
export async function apiResponse(route: string, call: Call = {}): Promise<Response> {
  const response = await prepare(route, call)()
  if (!response.ok) throw await errorOf(response)
  return response
}

function prepare(route: string, call: Call): () => Promise<Response> {
  const [method = 'GET', path = '/'] = route.split(' ')
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(call.params?.[name] ?? '')))
  const headers: Record<string, string> = { accept: 'application/json', 'x-tendon-web': tab.app }
  const organization = call.organization === undefined ? tab.organization : call.organization
  if (organization) headers['x-organization-id'] = organization
  if (method === 'POST') headers['idempotency-key'] = call.idempotencyKey ?? crypto.randomUUID()
  const isForm = call.body instanceof FormData || call.body instanceof Blob
  if (call.body !== undefined && !isForm) headers['content-type'] = 'application/json'
  const body = call.body === undefined || isForm ? (call.body as BodyInit | undefined) : JSON.stringify(call.body)
  const init: RequestInit = { method, headers, body: body ?? null, signal: call.signal ?? null, redirect: 'error' }
  return async () => {
    try {
      return await fetch(url + queryOf(call.query), init)
    } catch (error) {
      if (call.signal?.aborted) throw error
      throw new ApiError(0, 'network', 'No connection.')
    }
  }
}

function queryOf(query: Call['query'] = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    search.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return search.size > 0 ? `?${search}` : ''
}

function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}
