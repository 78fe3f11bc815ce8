import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { TelemetryReadiness } from '@tendon/contracts'
import {
  answerClientError,
  answerOddRequests,
  type ClientErrorOptions,
  hasWrongHost,
  malformedRequest,
  methodNotAllowed,
  notFound,
} from '@tendon/http'
import { headerTimeout } from '@tendon/process'
import { MAX_CONNECTIONS } from './connections.ts'
import type { Deps } from './deps.ts'
import { Exchange, type Watcher } from './exchange.ts'
import { openApiDocument } from './openapi.ts'
import { invalidToken, unavailable } from './refusals.ts'
import { INGEST_ROUTES } from './routes.ts'
import type { Tokens } from './tokens.ts'

const REQUEST_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 65_000
const RETRY_SOON = { 'retry-after': '1' }

interface ServerOptions extends Deps, Watcher {
  tokens: Tokens
  version: string
  headersTimeoutMs: number
  /** False until the log is read, and after it failed. */
  isAccepting: () => boolean
  readiness: () => Promise<TelemetryReadiness>
}

export function createHttpServer(options: ServerOptions): Server {
  const ingestRoutes = new Map(INGEST_ROUTES.map((route) => [route.path, route]))
  const health = JSON.stringify({ status: 'ok', version: options.version })
  const description = JSON.stringify(openApiDocument(options.version))
  const publicRoutes = new Map<string, (exchange: Exchange) => void>([
    ['/v1/healthz', (exchange) => exchange.send(200, health)],
    ['/v1/openapi.json', (exchange) => exchange.send(200, description)],
    ['/v1/readyz', (exchange) => void sendReadiness(exchange)],
  ])

  async function sendReadiness(exchange: Exchange): Promise<void> {
    const readiness = await options.readiness()
    exchange.send(readiness.status === 'not_ready' ? 503 : 200, JSON.stringify(readiness))
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', method = '' } = request
    const query = url.indexOf('?')
    const path = query < 0 ? url : url.slice(0, query)
    const open = publicRoutes.get(path)
    const route = ingestRoutes.get(path)
    const exchange = new Exchange(request, response, open || route ? path : 'unknown', options)
    if (hasWrongHost(request)) return exchange.refuse(malformedRequest({}, { connection: 'close' }))
    if (method === 'OPTIONS' && (open || route)) return exchange.sendPreflight(open ? 'GET' : 'POST')
    if (open && (method === 'GET' || method === 'HEAD')) return open(exchange)
    if (!route || method !== 'POST') {
      const allowed = open ? 'GET' : route ? 'POST' : undefined
      if (allowed === undefined) return exchange.refuse(notFound())
      return exchange.refuse(methodNotAllowed({ method, allowed }, { allow: allowed }))
    }
    if (!options.isAccepting()) return exchange.refuse(unavailable({}, RETRY_SOON))
    const bearer = options.tokens(request.headers.authorization)
    if (!bearer) return exchange.refuse(invalidToken({}, { 'www-authenticate': 'Bearer' }))
    try {
      route.handle(options, bearer, exchange)
    } catch (error) {
      exchange.fail(error)
    }
  }

  const server = createServer(
    {
      ...headerTimeout(options.headersTimeoutMs),
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
      requireHostHeader: false,
    },
    answer,
  )
  server.maxConnections = MAX_CONNECTIONS
  const malformed: ClientErrorOptions = {
    onRefused: ({ status, code }) => options.onAnswer({ route: 'malformed', status, code, ms: 0 }),
  }
  server.on('clientError', (error, socket) => {
    if (socket instanceof Socket) answerClientError(error, socket, malformed)
    else socket.destroy(error)
  })
  answerOddRequests(server, malformed)
  return server
}
