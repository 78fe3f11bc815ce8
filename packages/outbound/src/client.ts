import { Agent } from 'undici'
import { type Address, createAddressCheck, isPublicAddress } from './addresses.ts'
import { createConnector } from './connector.ts'
import { OutboundError } from './errors.ts'
import { type OutboundAnswer, type OutboundRequest, requestThrough } from './request.ts'
import { type UrlProblem, urlProblem } from './urls.ts'

export interface OutboundOptions {
  dnsServers?: readonly string[]
  /** Allows http and every address, for development and tests. */
  allowPrivate?: boolean
  /** Which addresses may be reached; those of the public internet unless told. */
  isAllowed?: (address: string) => boolean
  timeoutMs?: number
  maxBytes?: number
  /** A certificate authority besides the system's, as PEM. */
  ca?: string
}

/** The one HTTP client for URLs that a clinic or a provider chose. Every failure is an OutboundError. */
export interface Outbound {
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>
  /** POSTs JSON; a text or bytes are sent as they are. */
  postJson(url: string, body: unknown, request?: Omit<OutboundRequest, 'body' | 'method'>): Promise<OutboundAnswer>
  /** Like the browser's `fetch`, for libraries that need one. Refuses a response larger than `maxBytes`. */
  fetch(url: string, init?: FetchInit): Promise<Response>
  /** The addresses of a host that may be connected to, for protocols other than HTTP. */
  addressesOf(host: string): Promise<[Address, ...Address[]]>
  /** Why a URL would never be requested; undefined when it may. */
  urlProblem(url: string): UrlProblem | undefined
  close(): Promise<void>
}

interface FetchInit {
  method?: string
  headers?: ConstructorParameters<typeof Headers>[0]
  body?: unknown
  signal?: AbortSignal | null
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 20_000
const FETCH_MAX_BYTES = 256_000
const KEEP_ALIVE_MS = 4_000
/** As many as the webhooks in progress: at a host that many clinics use, one slow endpoint must not delay the others. */
const CONNECTIONS_PER_ORIGIN = 64
const BODILESS = new Set([101, 204, 205, 304])

export function createOutbound({
  dnsServers = [],
  allowPrivate = false,
  isAllowed = allowPrivate ? () => true : isPublicAddress,
  timeoutMs = TIMEOUT_MS,
  maxBytes = MAX_BYTES,
  ca,
}: OutboundOptions = {}): Outbound {
  const addressesOf = createAddressCheck({ dnsServers, isAllowed, timeoutMs })
  const agent = new Agent({
    connect: createConnector({ addressesOf, timeoutMs, ...(ca === undefined ? {} : { ca }) }),
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    pipelining: 1,
  })

  async function send(url: string, request: OutboundRequest = {}): Promise<OutboundAnswer> {
    if (urlProblem(url, allowPrivate) !== undefined) throw new OutboundError('invalid_url')
    return requestThrough(agent, url, { timeoutMs, maxBytes, ...request })
  }

  return {
    request: send,
    postJson(url, body, request = {}) {
      const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
      const headers = { 'content-type': 'application/json', ...request.headers }
      return send(url, { ...request, method: 'POST', headers, body: bytes })
    },
    async fetch(url, { method = 'GET', headers, body, signal } = {}) {
      const answer = await send(url, {
        method: method as 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(body === undefined || body === null ? {} : { body: bytesOf(body) }),
        ...(signal ? { signal } : {}),
        maxBytes: FETCH_MAX_BYTES,
      })
      if (answer.truncated) throw new OutboundError('too_large')
      const given = Object.entries(answer.headers).flatMap(([name, values]) =>
        [values ?? []].flat().map((value): [string, string] => [name, value]),
      )
      const bodyless = BODILESS.has(answer.status)
      return new Response(bodyless ? null : new Uint8Array(answer.body), { status: answer.status, headers: given })
    },
    addressesOf,
    urlProblem: (url) => urlProblem(url, allowPrivate),
    close: () => agent.destroy(),
  }
}

function bytesOf(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('a body is a text, bytes or URLSearchParams')
}
