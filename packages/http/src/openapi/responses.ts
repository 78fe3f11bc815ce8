import { STATUS_CODES } from 'node:http'
import type { RouteOptions } from 'fastify'
import { csvListOf } from '../csv.ts'
import { type ApiError, envelopeOf } from '../errors.ts'
import { isJsonSchema, type JsonSchema } from '../json-schema.ts'
import { reference } from './components.ts'
import { refusalsOf } from './route-refusals.ts'
import type { SchemaWriter } from './schemas.ts'

export interface Response {
  description: string
  headers?: Record<string, object>
  content?: Record<string, { schema?: object; examples?: Record<string, object> }>
  /** For refusals: the values of `error.code` (or `name`). */
  'x-error-codes'?: string[]
}

/** What any server answers before it knows the route; shown where there is no other refusal of a request. */
export const NOT_HTTP: Response = {
  description: 'The request is not valid HTTP (400), arrives too slowly (408), or its headers are too large (431).',
  content: { 'application/json': { schema: reference('schemas', 'Error') } },
}

type Responses = Record<string, Response | { $ref: string }>

/** The answer of a route that declares none: bytes, of the type that `produces` names. */
const FILE: JsonSchema = { description: 'The bytes of the file' }

const CSV: JsonSchema = {
  type: 'string',
  description:
    'With `Accept: text/csv`: the same rows as CSV (RFC 4180), one column for each member. `X-Total-Count` gives the number of all rows. Audited.',
}

/** What the route answers when all is well, and every way it can refuse, by status. */
export function responsesOf(route: RouteOptions, show: SchemaWriter['show']): Responses {
  const responses: Responses = {}
  for (const [status, schema] of Object.entries(route.schema?.response ?? { 200: FILE }))
    if (isJsonSchema(schema)) responses[status] = answer(route, status, schema, show)
  if (route.config?.contentTag) responses['304'] = unchanged(route)
  for (const [status, given] of Object.entries(Object.groupBy(refusalsOf(route), ({ status }) => status))) {
    const answered = responses[status]
    if (given === undefined) continue
    if (answered && 'description' in answered) responses[status] = either(answered, refused(given))
    else responses[status] = refused(given)
  }
  if (!Object.keys(responses).some((status) => status.startsWith('4'))) responses['4XX'] = NOT_HTTP
  return responses
}

/** The headers of every answer that is no refusal. */
const commonHeaders = ({ url }: RouteOptions): string[] => [
  'X-Request-Id',
  ...(url.startsWith('/v1') ? ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] : []),
]

const CONTENT_TAG = { ETag: reference('headers', 'ContentTag') }

/** The answer to If-None-Match. */
const unchanged = (route: RouteOptions): Response => ({
  description: 'Not Modified: the answer that you have is still the same.',
  headers: { ...headerReferences(commonHeaders(route)), ...CONTENT_TAG },
})

function answer(route: RouteOptions, status: string, schema: JsonSchema, show: SchemaWriter['show']): Response {
  const { config } = route
  const isCsvList = status === '200' && csvListOf(route) !== undefined
  const headers = [
    ...commonHeaders(route),
    ...(config?.idempotent ? ['Idempotency-Replayed'] : []),
    ...(hasVersion(schema) ? ['ETag'] : []),
  ]
  const response: Response = {
    description: schema.description ?? statusText(status),
    headers: { ...headerReferences(headers), ...(config?.contentTag && status === '200' ? CONTENT_TAG : {}) },
  }
  if (status === '204' || schema.type === 'null') return response
  const type = config?.produces ?? (schema === FILE ? 'application/octet-stream' : 'application/json')
  const content = { [type]: { schema: show(schema) } }
  if (!isCsvList) return { ...response, content }
  return { ...response, content: { ...content, 'text/csv': { schema: CSV } } }
}

/** Such a response has an ETag. */
function hasVersion({ properties }: JsonSchema): boolean {
  const { version, revision } = { ...properties, ...properties?.data?.properties }
  return (revision ?? version)?.type === 'integer'
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
    'x-error-codes': codes,
    content: { 'application/json': { schema: errorSchemaOf(given), examples: namedExamples(given) } },
  }
}

/** The bodies of these refusals: their codes and no others. */
export function errorSchemaOf(given: ApiError[]): object {
  const { coded = [], named = [] } = Object.groupBy(given, ({ envelope }) => envelope)
  const schemas = [
    ...(coded.length > 0 ? [only('Error', { error: open({ code: codesOf(coded) }) })] : []),
    ...(named.length > 0 ? [only('NamedError', { name: codesOf(named) })] : []),
  ]
  const [first] = schemas
  return schemas.length === 1 && first ? first : { anyOf: schemas }
}

/** The body of every refusal, with what this answer narrows. */
const only = (name: string, properties: object): object => ({
  allOf: [reference('schemas', name), open(properties)],
})

const open = (properties: object): object => ({ type: 'object', properties, additionalProperties: true })

const codesOf = (given: ApiError[]): object => ({ type: 'string', enum: [...new Set(given.map(({ code }) => code))] })

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
    'x-error-codes': refused['x-error-codes'] ?? [],
    content: {
      'application/json': {
        schema: { anyOf: [own.schema, error.schema] },
        examples: error.examples ?? {},
      },
    },
  }
}

const statusText = (status: string | number): string => STATUS_CODES[status] ?? String(status)

const headerReferences = (names: string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, reference('headers', name)]))
