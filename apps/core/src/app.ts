import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import {
  addRequestTools,
  answerListsAsCsv,
  answerUnknownRoutes,
  collectRoutes,
  logAnswers,
  loggerOptions,
  type RouteTable,
} from '@tendon/access'
import {
  acceptJsonBodies,
  addVersions,
  answerClientError,
  answerOddRequests,
  type ClientErrorOptions,
  type Constraints,
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
import type { Feature, Routes } from './feature.ts'
import { features } from './features.ts'
import { acceptUploads } from './platform/uploads.ts'
import type { Services } from './services.ts'

const MAX_BODY_BYTES = 256 * 1024

export interface AppOptions {
  onRefusal?: ErrorHandlerOptions['onRefusal']
  logStream?: { write(line: string): void }
  /** Further routes, for tests. */
  routes?: readonly Routes[]
}

/** Builds the core API. Hooks run in the specification's order: authenticate, organization, consents, access; then the body is read. */
export function buildApp(services: Services, options: AppOptions = {}) {
  const { config } = services
  const malformed: ClientErrorOptions = {
    count: (ip) => app.rateLimits.countMalformed(ip),
    onRefused: ({ status, code }) => app.log.info({ route: 'malformed', status, code }, 'answered'),
  }
  const app = fastify({
    logger: loggerOptions(config.LOG_LEVEL, options.logStream),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    handlerTimeout: config.REQUEST_TIMEOUT_MS,
    connectionTimeout: config.LONG_REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 65_000,
    http: { requireHostHeader: false, ...headerTimeout(config.HEADERS_TIMEOUT_MS) },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, malformed),
    rewriteUrl: routableUrl,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_URL_LENGTH, ignoreTrailingSlash: false },
  }).withTypeProvider<TypeBoxTypeProvider>()

  answerOddRequests(app.server, malformed)
  const routes = collectRoutes(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  const constraints: Constraints = Object.assign({}, ...features.map((one) => one.constraints))
  app.setErrorHandler(errorHandler({ constraints, ...(options.onRefusal ? { onRefusal: options.onRefusal } : {}) }))
  acceptJsonBodies(app, config.BODY_TIMEOUT_MS)
  acceptUploads(app)
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
  refuseEncodedBodies(app)
  addVersions(app)
  const routesOf = new Map<Feature, RouteTable>()
  for (const feature of features) {
    const before = routes.length
    for (const addRoutes of feature.routes) addRoutes(app, services)
    routesOf.set(feature, routes.slice(before))
  }
  for (const addRoutes of options.routes ?? []) addRoutes(app, services)
  answerUnknownRoutes(app, routes)
  return Object.assign(app, { routes, routesOf })
}
