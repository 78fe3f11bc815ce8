import type { Refusal } from '@tendon/http'
import { INGEST_ROUTES, type IngestRoute, PUBLIC_ROUTES } from './routes.ts'

const ERROR = {
  title: 'Error',
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
  },
}
const META = {
  required: false,
  description: 'JSON, 2 KB at most: pose_confidence, camera_resolution, processing_time_ms.',
  schema: { type: 'string' },
}
const RETRY_AFTER = { description: 'Seconds to wait.', schema: { type: 'integer' } }

/** Builds the OpenAPI 3.1 document of the telemetry service from its route table. */
export function openApiDocument(version: string): object {
  const paths: Record<string, object> = {}
  for (const route of INGEST_ROUTES) paths[route.path] = { post: operationOf(route) }
  for (const [path, { summary, answers }] of Object.entries(PUBLIC_ROUTES)) {
    const responses = Object.entries(answers).map(([status, schema]) => [status, json(summary, schema)])
    paths[path] = {
      get: { summary, operationId: idOf('get', path), security: [], responses: Object.fromEntries(responses) },
    }
  }
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Tendon telemetry',
      version,
      description:
        'Receives pose frames and player events during an exercise run. It is write-only: all data is read through the core API. 202 means that the data is on disk.',
    },
    security: [{ run_token: [] }],
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: {
        run_token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `telemetry_token` of a run (POST /v1/session-runs of the core API). Valid for 90 minutes.',
        },
      },
    },
  }
  return JSON.parse(JSON.stringify(document)) as object
}

function operationOf({ path, summary, description, body, accepted, refusals }: IngestRoute): object {
  const meta = [
    { name: 'meta', in: 'query', ...META },
    { name: 'X-Batch-Meta', in: 'header', ...META },
  ]
  const byStatus = Object.groupBy(refusals, ({ status }) => status)
  const refused = Object.entries(byStatus).map(([status, given]) => [status, refusedAs(given ?? [])])
  return {
    summary,
    description,
    operationId: idOf('post', path),
    ...(path === '/v1/pose/frames' ? { parameters: meta } : {}),
    requestBody: { required: true, content: { [body.type]: { schema: body.schema } } },
    responses: { 202: json('On disk', accepted), ...Object.fromEntries(refused) },
  }
}

function refusedAs(given: readonly Refusal[]): object {
  const [first] = given
  const examples = given.map(({ code, words }) => [code, { value: { error: { code, message: words } } }])
  return {
    description: given.map(({ code }) => `\`${code}\``).join(', '),
    ...(first && (first.status === 429 || first.status === 503) ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: Object.fromEntries(examples) },
    },
  }
}

const json = (description: string, schema: object) => ({ description, content: { 'application/json': { schema } } })

const idOf = (method: string, path: string): string =>
  method + path.replace('/v1', '').replace(/[^a-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase())
