import { STATUS_CODES } from 'node:http'
import type { RouteOptions } from 'fastify'
import { type ApiError, envelopeOf } from '../errors.ts'
import * as refusals from '../refusals.ts'
import { reference } from './components.ts'
import { exampleOf, type JsonSchema } from './example.ts'
import { refusalsOf } from './route-refusals.ts'

export interface Response {
  description: string
  headers?: Record<string, object>
  content?: Record<string, { schema?: object; example?: unknown; examples?: Record<string, object> }>
}

type Responses = Record<string, Response | { $ref: string }>

/** The answer of a route that declares none: bytes, of the type that `produces` names. */
const FILE: JsonSchema = { description: 'The bytes of the file', examples: ['the bytes of the file'] }

/** What the route answers when all is well, and every way it can refuse, by status. */
export function responsesOf(route: RouteOptions): Responses {
  const responses: Responses = {}
  const declared = (route.schema?.response ?? { 200: FILE }) as Record<string, JsonSchema>
  for (const [status, schema] of Object.entries(declared)) responses[status] = answer(route, status, schema)
  for (const [status, given] of Object.entries(Object.groupBy(refusalsOf(route), ({ status }) => status))) {
    const answered = responses[status]
    if (given === undefined) continue
    if (answered && 'description' in answered) responses[status] = either(answered, refused(given))
    else responses[status] = commonAlone(given) ?? refused(given)
  }
  return responses
}

/** Refusals that are often the only one of their status and look the same wherever they are: said once. */
const COMMON = [
  refusals.unauthenticated,
  refusals.notFound,
  refusals.conflict,
  refusals.payloadTooLarge,
  refusals.unsupportedMediaType,
  refusals.validationFailed,
  refusals.rateLimited,
  refusals.internalError,
  refusals.unavailable,
]

export function commonResponses(): Record<string, Response> {
  return Object.fromEntries(COMMON.map((refusal) => [refusal.code, refused([refusal(refusal.example)])]))
}

function commonAlone([first, ...others]: ApiError[]): { $ref: string } | undefined {
  if (!first || others.length > 0) return undefined
  const common = COMMON.find(({ code, words }) => code === first.code && words === first.message)
  return common && reference('responses', common.code)
}

function answer({ url, config }: RouteOptions, status: string, schema: JsonSchema): Response {
  const headers = [
    'X-Request-Id',
    ...(url.startsWith('/v1') ? ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] : []),
    ...(config?.idempotent ? ['Idempotency-Replayed'] : []),
  ]
  const response: Response = {
    description: schema.description ?? statusText(status),
    headers: headerReferences(headers),
  }
  if (status === '204' || schema.type === 'null') return response
  const type = config?.produces ?? (schema === FILE ? 'application/octet-stream' : 'application/json')
  return { ...response, content: { [type]: { schema, example: exampleOf(schema) } } }
}

function refused(given: ApiError[]): Response {
  const status = given[0]?.status ?? 500
  const codes = [...new Set(given.map(({ code }) => code))]
  const headers = [
    'X-Request-Id',
    ...(status === 429 || status === 503 || status === 409 ? ['Retry-After'] : []),
    ...(status === 429 ? ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  ]
  return {
    description: `${statusText(status)}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    headers: headerReferences(headers),
    content: { 'application/json': { schema: errorSchemaOf(given), examples: namedExamples(given) } },
  }
}

function errorSchemaOf(given: ApiError[]): object {
  const { coded = [], named = [] } = Object.groupBy(given, ({ envelope }) => envelope)
  const codesOf = (some: ApiError[]) => ({ enum: [...new Set(some.map(({ code }) => code))] })
  const ofCoded = { properties: { error: { properties: { code: codesOf(coded) } } } }
  const ofNamed = { properties: { name: codesOf(named) } }
  const schemas = [
    ...(coded.length > 0 ? [{ allOf: [reference('schemas', 'Error'), ofCoded] }] : []),
    ...(named.length > 0 ? [{ allOf: [reference('schemas', 'NamedError'), ofNamed] }] : []),
  ]
  return schemas.length === 1 ? { ...schemas[0] } : { anyOf: schemas }
}

/** One example per refusal, named by its code; a second one of the same code gets a number. */
function namedExamples(given: ApiError[]): Record<string, object> {
  const examples: Record<string, object> = {}
  const seen = new Map<string, number>()
  for (const refusal of given) {
    const count = (seen.get(refusal.code) ?? 0) + 1
    seen.set(refusal.code, count)
    const name = count === 1 ? refusal.code : `${refusal.code}_${count}`
    examples[name] = { summary: refusal.message, value: envelopeOf(refusal) }
  }
  return examples
}

/** A status that the route also answers with a body of its own (GET /health: 503). */
function either(declared: Response, refused: Response): Response {
  const own = declared.content?.['application/json']
  const error = refused.content?.['application/json']
  if (!own || !error) return declared
  return {
    description: `${declared.description}. ${refused.description}`,
    headers: { ...declared.headers, ...refused.headers },
    content: {
      'application/json': {
        schema: { anyOf: [own.schema, error.schema] },
        examples: { answer: { value: own.example }, ...error.examples },
      },
    },
  }
}

const statusText = (status: string | number): string => STATUS_CODES[status] ?? String(status)

const headerReferences = (names: string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, reference('headers', name)]))
