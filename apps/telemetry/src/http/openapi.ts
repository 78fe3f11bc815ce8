import {
  ERROR_SCHEMA,
  envelopeOf,
  errorSchemaOf,
  LICENSE,
  NOT_HTTP,
  type Refusal,
  type SchemaWriter,
  schemaWriter,
} from '@tendon/http'
import { INGEST_ROUTES, type IngestRoute, PUBLIC_ROUTES, type PublicRoute } from './routes.ts'

const INGEST = 'ingest'
const SERVICE = 'service'
const TAGS = [
  { name: INGEST, description: 'Data of a run: pose frames, player events and views of library items.' },
  { name: SERVICE, description: 'Liveness, readiness and this document.' },
]
const META = {
  required: false,
  description: 'JSON, 2 KB at most: pose_confidence, camera_resolution, processing_time_ms.',
  schema: { type: 'string' },
}
const RETRY_AFTER = { description: 'Seconds to wait.', schema: { type: 'integer' } }

/** The telemetry service in OpenAPI 3.1, from the table of its routes. */
export function openApiDocument(version: string): object {
  const schemas = schemaWriter()
  const paths: Record<string, object> = {}
  for (const route of INGEST_ROUTES) paths[route.path] = { post: operationOf(route, schemas) }
  for (const [path, { summary, operationId, answers }] of Object.entries<PublicRoute>(PUBLIC_ROUTES)) {
    const responses = Object.entries(answers).map(([status, schema]) => [status, json(summary, schemas.show(schema))])
    paths[path] = {
      get: {
        operationId,
        tags: [SERVICE],
        summary,
        security: [],
        responses: { ...Object.fromEntries(responses), '4XX': NOT_HTTP },
      },
    }
  }
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Tendon telemetry',
      version,
      description:
        'Receives pose frames and player events during a run of exercises. It only receives data: all reading goes through the core API. 202 means that the data is on disk.',
      license: LICENSE,
    },
    servers: [{ url: '/' }],
    security: [{ run_token: [] }],
    tags: TAGS,
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA, ...schemas.components() },
      securitySchemes: {
        run_token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'The `telemetry_token` of a run (POST /v1/session-runs of the core API). It is valid for 90 minutes.',
        },
      },
    },
  }
  return JSON.parse(JSON.stringify(document)) as object
}

function operationOf(route: IngestRoute, { show }: SchemaWriter): object {
  const { path, operationId, summary, description, body, accepted, refusals } = route
  const meta = [
    { name: 'meta', in: 'query', ...META },
    { name: 'X-Batch-Meta', in: 'header', ...META },
  ]
  const byStatus = Object.groupBy(refusals, ({ status }) => status)
  const refused = Object.entries(byStatus).map(([status, given]) => [status, refusedAs(given ?? [])])
  return {
    operationId,
    tags: [INGEST],
    summary,
    description,
    ...(path === '/v1/pose/frames' ? { parameters: meta } : {}),
    requestBody: { required: true, content: { [body.type]: { schema: show(body.schema) } } },
    responses: { 202: json('On disk', show(accepted)), ...Object.fromEntries(refused) },
  }
}

function refusedAs(given: readonly Refusal[]): object {
  const [first] = given
  const errors = given.map((refusal) => refusal(refusal.example))
  const examples = errors.map((error) => [error.code, { value: envelopeOf(error) }])
  return {
    description: given.map(({ code }) => `\`${code}\``).join(', '),
    ...(first && (first.status === 429 || first.status === 503) ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    'x-error-codes': given.map(({ code }) => code),
    content: {
      'application/json': { schema: errorSchemaOf(errors), examples: Object.fromEntries(examples) },
    },
  }
}

const json = (description: string, schema: object) => ({ description, content: { 'application/json': { schema } } })
