import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { requestTimeout } from './client-errors.ts'
import { ApiError, envelopeOf, type Refusal, textIn } from './errors.ts'
import { type ContentStyle, invalidContent, nothingThere } from './named-refusals.ts'
import {
  conflict,
  internalError,
  payloadTooLarge,
  recordForbidden,
  unavailable,
  unsupportedMediaType,
} from './refusals.ts'
import { mistakesOf } from './validation.ts'

/** Constraint name → refusal: the words for what the database refuses. */
export type Constraints = Readonly<Record<string, Refusal>>

const INSUFFICIENT_PRIVILEGE = '42501'
const RETRY_SOON = { 'retry-after': '1' }

// SQLSTATE classes and codes that pass by themselves: connection lost, too many connections, shutdown, deadlock,
// serialization failure, lock or statement timeout, idle-in-transaction timeout, read-only standby, disk full.
const PASSING = /^(08|53|57P0|40001$|40P01$|55P03$|57014$|25P03$|25006$)/
// Text or numbers that the database cannot take although the contract let them through.
const BAD_VALUE = /^(22|23502$)/
const CONNECTION_LOST = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
const CONNECTION_WORDS = /timeout exceeded when trying to connect|Connection terminated|not queryable/
// A migration changed the result of a prepared statement; the next connection prepares it again.
const STALE_PLAN = 'RevalidateCachedQuery'

/** Fastify's error for a request that does not fit the contract of its route. */
const isInvalidRequest = (error: unknown): error is FastifyError & Required<Pick<FastifyError, 'validation'>> =>
  error instanceof Error && 'validation' in error && Array.isArray(error.validation)

export function refusalFor(error: unknown, constraints: Constraints, style?: ContentStyle): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (isInvalidRequest(error)) {
    if (error.validationContext === 'params') return nothingThere(style)
    const { fields, reasons } = mistakesOf(error.validation, error.validationContext)
    return invalidContent(fields, style, reasons)
  }
  const code = textIn(error, 'code')
  const constraint = textIn(error, 'constraint')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return payloadTooLarge()
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType()
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return invalidContent({ body: 'does not have the length given in Content-Length' }, style)
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return unavailable({}, RETRY_SOON)
  if (
    CONNECTION_LOST.has(code ?? '') ||
    CONNECTION_WORDS.test(textIn(error, 'message') ?? '') ||
    textIn(error, 'routine') === STALE_PLAN
  )
    return unavailable({}, RETRY_SOON)
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return undefined
  const known = constraint !== undefined && Object.hasOwn(constraints, constraint) ? constraints[constraint] : undefined
  if (known) return known()
  if (BAD_VALUE.test(code)) return invalidContent({}, style)
  if (code.startsWith('23')) return conflict()
  if (code === INSUFFICIENT_PRIVILEGE) return recordForbidden()
  if (PASSING.test(code)) return unavailable({}, RETRY_SOON)
  return undefined
}

export interface ErrorHandlerOptions {
  constraints: Constraints
  /** Called with each refusal, before it is sent: tests check that the route declared it. */
  onRefusal?: (error: ApiError, request: FastifyRequest) => void
}

export function errorHandler({ constraints, onRefusal }: ErrorHandlerOptions) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { config } = request.routeOptions
    const refused = isSlowBody(error, request)
      ? requestTimeout({}, { connection: 'close' })
      : refusalFor(error, config.constraints ? { ...constraints, ...config.constraints } : constraints, config)
    if (!refused) request.log.error({ err: error }, 'request failed')
    else if (isOurs(error, refused)) request.log.warn({ err: error }, 'request refused by the database')
    const answer = refused ?? internalError({ request_id: request.id })
    if (refused) onRefusal?.(refused, request)
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .header('content-type', 'application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(envelopeOf(answer))
  }
}

/** The time ran out while the body was still arriving: the client's fault. */
const isSlowBody = (error: unknown, { raw }: FastifyRequest) =>
  textIn(error, 'code') === 'FST_ERR_HANDLER_TIMEOUT' && !raw.complete

/** Not caused by the caller: the database is unavailable, or row-level security refused what the route allowed. */
const isOurs = (error: unknown, { status }: ApiError) =>
  !(error instanceof ApiError) && (status === 503 || status === 403)
