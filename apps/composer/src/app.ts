import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import {
  addRequestTools,
  answerListsAsCsv,
  answerUnknownRoutes,
  collectRoutes,
  logAnswers,
  loggerOptions,
} from '@tendon/access'
import { MAX_COMPOSER_BODY_BYTES } from '@tendon/contracts'
import {
  acceptJsonBodies,
  answerClientError,
  answerOddRequests,
  type ClientErrorOptions,
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
import fastify, { LogController } from 'fastify'
import { bundleRoutes } from './features/bundles/routes.ts'
import { compositionRoutes } from './features/compositions/routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { openapiRoutes } from './features/openapi/routes.ts'
import { renderRoutes } from './features/renders/routes.ts'
import { videoHostWebhookRoutes } from './features/video-host-webhook/routes.ts'
import type { Routes, Services } from './services.ts'

const ROUTES: readonly Routes[] = [
  healthRoutes,
  openapiRoutes,
  compositionRoutes,
  renderRoutes,
  bundleRoutes,
  videoHostWebhookRoutes,
]

export interface AppOptions {
  onRefusal?: ErrorHandlerOptions['onRefusal']
  logStream?: { write(line: string): void }
}

/** Builds the API of the composer. Callers are identified as in the core API. */
export async function buildApp(services: Services, options: AppOptions = {}) {
  const { config } = services
  const malformed: ClientErrorOptions = {
    count: (ip) => app.rateLimits.countMalformed(ip),
    onRefused: ({ status, code }) => app.log.info({ route: 'malformed', status, code }, 'answered'),
  }
  const app = fastify({
    logger: loggerOptions(config.LOG_LEVEL, options.logStream),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    // The core API forwards requests, usually from the same machine.
    trustProxy: ['loopback', ...config.TRUSTED_PROXIES],
    bodyLimit: MAX_COMPOSER_BODY_BYTES,
    requestTimeout: 0,
    handlerTimeout: config.REQUEST_TIMEOUT_MS,
    connectionTimeout: config.LONG_REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 65_000,
    http: { requireHostHeader: false, ...headerTimeout(config.HEADERS_TIMEOUT_MS) },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, malformed),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: routableUrl,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
  }).withTypeProvider<TypeBoxTypeProvider>()

  answerOddRequests(app.server, malformed)
  const routes = collectRoutes(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(errorHandler({ constraints: {}, ...(options.onRefusal ? { onRefusal: options.onRefusal } : {}) }))
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
      calendar_feed: config.RATE_LIMIT_CALENDAR_FEED_PER_MINUTE,
      public_booking: config.RATE_LIMIT_PUBLIC_BOOKING_PER_MINUTE,
      inbound: config.RATE_LIMIT_INBOUND_PER_MINUTE,
    },
    redis: undefined,
    onStoreFailure: (error) => app.log.warn({ err: error }, 'rate-limit store failed; requests pass'),
  })
  requireHost(app)
  addRequestTools(app, services)
  answerListsAsCsv(app)
  refuseEncodedBodies(app)
  for (const add of ROUTES) add(app, services)
  answerUnknownRoutes(app, routes)
  await app.after()
  return Object.assign(app, { routes })
}
