import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Config } from '@tendon/config'
import {
  acceptJsonBodies,
  answerClientError,
  answerOddRequests,
  answerUnchanged,
  type ClientErrorOptions,
  type Constraints,
  compressAnswers,
  drainConnections,
  type ErrorHandlerOptions,
  errorHandler,
  limitRequests,
  MAX_URL_LENGTH,
  measureRequests,
  refuseEncodedBodies,
  requestId,
  requireHost,
  routableUrl,
  serializerCompiler,
  settleBodies,
  standardHeaders,
  validatorCompiler,
} from '@tendon/http'
import { headerTimeout } from '@tendon/process'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
  type RawServerDefault,
} from 'fastify'
import type { Redis } from 'ioredis'
import type { Registry } from 'prom-client'
import { answerListsAsCsv } from './csv-lists.ts'
import { logAnswers, loggerOptions } from './logger.ts'
import { type AccessServices, addRequestTools } from './request.ts'
import { answerUnknownRoutes, collectRoutes, type RouteTable } from './route-table.ts'

type TypedApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** The API of a service. `routes` grows while features add theirs. */
export type HttpApp = TypedApp & { routes: RouteTable }

interface HttpAppServices extends AccessServices {
  config: Config
  metrics: Registry
  /** Shares rate limits between servers. */
  redis?: Redis | undefined
}

/** For tests. */
export interface HttpAppProbes {
  onRefusal?: ErrorHandlerOptions['onRefusal']
  logStream?: { write(line: string): void }
}

interface HttpAppOptions extends HttpAppProbes {
  trustProxy: NonNullable<FastifyServerOptions['trustProxy']>
  maxBodyBytes: number
  /** For the whole request with its body; a route with long bodies calls `allowLongBody`. */
  requestTimeoutMs: number
  constraints?: Constraints
}

const KEEP_ALIVE_MS = 65_000

/**
 * Builds the API of a service. Hooks run in the specification's order: authenticate, organization, consents, access; then
 * the body is read. `addRoutes` adds the endpoints, and hooks that run after all these.
 */
export function buildHttpApp(
  services: HttpAppServices,
  options: HttpAppOptions,
  addRoutes: (app: HttpApp) => void,
): HttpApp {
  const { config } = services
  const malformed: ClientErrorOptions = {
    count: (ip) => app.rateLimits.countMalformed(ip),
    onRefused: ({ status, code }) => app.log.info({ route: 'malformed', status, code }, 'answered'),
  }
  const bare = fastify({
    logger: loggerOptions(config.LOG_LEVEL, options.logStream),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    trustProxy: options.trustProxy,
    bodyLimit: options.maxBodyBytes,
    requestTimeout: options.requestTimeoutMs,
    handlerTimeout: config.REQUEST_TIMEOUT_MS,
    connectionTimeout: config.LONG_REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { requireHostHeader: false, ...headerTimeout(config.HEADERS_TIMEOUT_MS) },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, malformed),
    rewriteUrl: routableUrl,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
  }).withTypeProvider<TypeBoxTypeProvider>()
  const app = Object.assign(bare, { routes: collectRoutes(bare) })

  answerOddRequests(app.server, malformed)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  const { constraints = {}, onRefusal } = options
  app.setErrorHandler(errorHandler({ constraints, ...(onRefusal ? { onRefusal } : {}) }))
  acceptJsonBodies(app, config.BODY_TIMEOUT_MS)
  standardHeaders(app)
  drainConnections(app)
  settleBodies(app)
  measureRequests(app, services.metrics)
  logAnswers(app)
  limitRequests(app, {
    limits: {
      entry: config.RATE_LIMIT_ENTRY_PER_MINUTE,
      public_resolve: config.RATE_LIMIT_PUBLIC_RESOLVE_PER_MINUTE,
      inbound: config.RATE_LIMIT_INBOUND_PER_MINUTE,
      calendar_feed: config.RATE_LIMIT_CALENDAR_FEED_PER_MINUTE,
      public_booking: config.RATE_LIMIT_PUBLIC_BOOKING_PER_MINUTE,
    },
    redis: services.redis,
    onStoreFailure: (error) => app.log.warn({ err: error }, 'rate-limit store failed; requests pass'),
  })
  requireHost(app)
  addRequestTools(app, services)
  answerListsAsCsv(app)
  answerUnchanged(app)
  compressAnswers(app)
  refuseEncodedBodies(app)
  addRoutes(app)
  answerUnknownRoutes(app, app.routes)
  return app
}
