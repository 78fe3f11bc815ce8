import { CHOICES } from '@tendon/contracts'
import type { RouteOptions } from 'fastify'
import { isJsonSchema, type JsonSchema, schemaIn } from '../json-schema.ts'
import { latencyClassOf } from '../latency.ts'
import { reference } from './components.ts'
import { exampleOf } from './example.ts'
import { accessInWords, pathOf, tagOf } from './naming.ts'
import { operationIdOf } from './operation-id.ts'
import { type Response, responsesOf } from './responses.ts'
import type { SchemaWriter } from './schemas.ts'

export interface Operation {
  operationId: string
  parameters: object[]
  responses: Record<string, Response | { $ref: string }>
  [member: string]: unknown
}

const ONE_FILE = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: {
          file: { type: 'string', format: 'binary', description: 'Exactly one file; the part may have any name.' },
        },
      },
    },
  },
}

export function operationOf(method: string, route: RouteOptions, { show }: SchemaWriter): Operation {
  const { url, config, schema } = route
  const access = accessInWords(config?.access)
  return {
    operationId: config?.operationId ?? operationIdOf(method.toUpperCase(), url),
    tags: [tagOf(url)],
    summary: config?.summary,
    description: [
      ...(config?.description ? [config.description] : []),
      `${access}.`,
      ...(config?.idempotent ? ['Takes `Idempotency-Key`.'] : []),
      ...(config?.limit ? [`Limited per IP address (policy \`${config.limit}\`).`] : []),
    ].join(' '),
    'x-access': access,
    'x-latency-class': latencyClassOf(method, config?.latency),
    ...(config?.access?.kind === 'permission' ? { 'x-permission': config.access.code } : {}),
    ...(config?.access?.kind === 'public' ? { security: [] } : {}),
    parameters: parametersOf(route),
    ...(isJsonSchema(schema?.body) ? { requestBody: requestBody(show(schema.body)) } : {}),
    ...(config?.upload ? { requestBody: ONE_FILE } : {}),
    ...(config?.consumes ? { requestBody: rawBody(config.consumes, show) } : {}),
    responses: responsesOf(route, show),
  }
}

function requestBody(schema: JsonSchema): object {
  return { required: true, content: { 'application/json': { schema } } }
}

function rawBody(consumes: Readonly<Record<string, object>>, show: SchemaWriter['show']): object {
  const content = Object.entries(consumes).map(([type, schema]) => [type, { schema: show(schemaIn(schema) ?? {}) }])
  return { required: true, content: Object.fromEntries(content) }
}

function parametersOf({ url, config, schema }: RouteOptions): object[] {
  const shared = [
    ...(config?.access?.kind === 'public' ? [] : ['X-Organization-ID']),
    ...(config?.idempotent ? ['Idempotency-Key'] : []),
    ...(config?.versioned ? ['If-Match'] : []),
    ...(config?.contentTag ? ['If-None-Match'] : []),
    'X-Request-Id',
  ]
  return [
    ...pathParameters(url, schemaIn(schema?.params)),
    ...queryParameters(schemaIn(schema?.querystring)),
    ...shared.map((name) => reference('parameters', name)),
  ]
}

function pathParameters(url: string, schema: JsonSchema | undefined): object[] {
  return [...pathOf(url).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const declared = schema?.properties?.[name] ?? schema?.properties?.['*'] ?? { type: 'string' }
    return parameter(name, 'path', true, declared)
  })
}

function queryParameters(schema: JsonSchema | undefined): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) =>
    parameter(name, 'query', schema?.required?.includes(name) ?? false, property),
  )
}

/** An optional one has its example in the description: a reference page sends every parameter that has an example. */
function parameter(name: string, place: 'path' | 'query', required: boolean, schema: JsonSchema): object {
  const { description = '', examples, ...rest } = withChoices(schema)
  const common = { name, in: place, required, ...(rest.type === 'array' ? { style: 'form', explode: false } : {}) }
  if (required) return { ...common, ...(description ? { description } : {}), schema: rest, example: exampleOf(schema) }
  const inWords = examples === undefined || rest.default !== undefined ? '' : `Example: \`${String(examples[0])}\`.`
  return { ...common, description: `${description} ${inWords}`.trim(), schema: rest }
}

/** A comma-separated list of names, as OpenAPI describes one. */
function withChoices(schema: JsonSchema): JsonSchema {
  const { [CHOICES]: choices, ...rest } = schema
  return choices === undefined ? schema : { ...rest, type: 'array', items: { type: 'string', enum: [...choices] } }
}
