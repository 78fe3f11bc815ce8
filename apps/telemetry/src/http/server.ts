import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { TelemetryReadiness } from '@tendon/contracts'
import { answerClientError, internalError, methodNotAllowed, notFound, requestId } from '@tendon/http'
import type { Deps } from './deps.ts'
import { openApiDocument } from './openapi.ts'
import { invalidToken, unavailable } from './refusals.ts'
import { refusalCodeOf, sendJson, sendRefusal } from './reply.ts'
import { INGEST_ROUTES } from './routes.ts'
import type { Tokens } from './tokens.ts'

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 65_000
const CONNECTIONS_MAX = 20_000
const RETRY_SOON = { 'retry-after': '1' }

export interface Answered {
  route: string
  status: number
  /** Of a refusal. */
  code: string
  ms: number
}

export interface ServerOptions extends Deps {
  tokens: Tokens
  version: string
  /** False until the log is read, and when it has failed. */
  takesData: () => boolean
  /** Each answer then ends its connection: one kept alive would hold up the exit. */
  isStopping: () => boolean
  readiness: () => Promise<TelemetryReadiness>
  onAnswer: (answer: Answered) => void
  onError: (error: unknown, requestId: string) => void
}

export function createHttpServer(options: ServerOptions): Server {
  const ingestRoutes = new Map(INGEST_ROUTES.map((route) => [route.path, route]))
  const health = JSON.stringify({ status: 'ok', version: options.version })
  const description = JSON.stringify(openApiDocument(options.version))
  const publicRoutes = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>([
    ['/v1/healthz', (request, response) => sendJson(request, response, 200, health)],
    ['/v1/openapi.json', (request, response) => sendJson(request, response, 200, description)],
    ['/v1/readyz', (request, response) => void sendReadiness(request, response)],
  ])

  async function sendReadiness(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const readiness = await options.readiness()
    sendJson(request, response, readiness.status === 'ready' ? 200 : 503, JSON.stringify(readiness))
  }

  function answer(request: IncomingMessage, response: ServerResponse, path: string): void {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const open = publicRoutes.get(path)
    if (open && isRead) return open(request, response)
    const route = ingestRoutes.get(path)
    if (!route || request.method !== 'POST') {
      const allowed = open ? 'GET' : route ? 'POST' : undefined
      if (allowed === undefined) return sendRefusal(request, response, notFound())
      const refused = methodNotAllowed({ method: request.method ?? '', allowed }, { allow: allowed })
      return sendRefusal(request, response, refused)
    }
    if (!options.takesData()) return sendRefusal(request, response, unavailable({}, RETRY_SOON))
    const bearer = options.tokens(request.headers.authorization)
    if (!bearer) return sendRefusal(request, response, invalidToken({}, { 'www-authenticate': 'Bearer' }))
    route.take(options, bearer, request, response).catch((error: unknown) => {
      const id = requestId(request)
      options.onError(error, id)
      sendRefusal(request, response, internalError({ request_id: id }))
    })
  }

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
    },
    (request, response) => {
      const started = performance.now()
      const { url = '' } = request
      const query = url.indexOf('?')
      const path = query < 0 ? url : url.slice(0, query)
      response.once('finish', () => {
        const route = ingestRoutes.has(path) || publicRoutes.has(path) ? path : 'unknown'
        const { statusCode: status } = response
        options.onAnswer({ route, status, code: refusalCodeOf(response), ms: performance.now() - started })
      })
      if (options.isStopping()) response.shouldKeepAlive = false
      answer(request, response, path)
    },
  )
  server.maxConnections = CONNECTIONS_MAX
  server.on('clientError', answerClientError)
  return server
}
