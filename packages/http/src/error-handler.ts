import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, envelopeOf, type Refusal } from './errors.ts'
import {
  conflict,
  forbidden,
  internalError,
  notFound,
  payloadTooLarge,
  unavailable,
  unsupportedMediaType,
  validationFailed,
} from './refusals.ts'
import { fieldsOf } from './validation.ts'

/** Constraint name → refusal: the words for what the database refuses. */
export type Constraints = Readonly<Record<string, Refusal>>

interface DatabaseError extends Error {
  code: string
  constraint?: string
}

const RETRY_SOON = { 'retry-after': '1' }

// SQLSTATE classes and codes that pass by themselves: connection lost, too many connections, shutdown, deadlock,
// serialization failure, lock or statement timeout, idle-in-transaction timeout, read-only standby, disk full.
const PASSING = /^(08|53|57P0|40001$|40P01$|55P03$|57014$|25P03$|25006$)/
// Text or numbers that the database cannot take although the contract let them through.
const BAD_VALUE = /^(22|23502$)/

export function refusalFor(error: unknown, constraints: Constraints): ApiError | undefined {
  if (error instanceof ApiError) return error
  const { code, constraint, validation, validationContext, message } = error as Partial<FastifyError & DatabaseError>
  if (validation) {
    if (validationContext === 'params') return notFound()
    return validationFailed({ fields: fieldsOf(validation, validationContext) })
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return payloadTooLarge()
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType()
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return validationFailed({ fields: { body: 'does not have the announced length' } })
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return unavailable({}, RETRY_SOON)
  if (
    code === 'ECONNREFUSED' ||
    code === 'ECONNRESET' ||
    /timeout exceeded when trying to connect|Connection terminated/.test(message ?? '')
  )
    return unavailable({}, RETRY_SOON)
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return undefined
  if (constraint !== undefined && constraints[constraint]) return constraints[constraint]()
  if (code.startsWith('23')) return conflict()
  if (code === '42501') return forbidden({ required: 'for this record' })
  if (BAD_VALUE.test(code)) return validationFailed({ fields: {} })
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
    const refused = refusalFor(error, constraints)
    if (!refused) request.log.error({ err: error }, 'request failed')
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
