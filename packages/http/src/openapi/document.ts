import type { RouteOptions } from 'fastify'
import { BEARER, ERROR_SCHEMA, HEADERS, NAMED_ERROR_SCHEMA, PARAMETERS } from './components.ts'
import { methodsOf, pathOf, tagOf, titleOf } from './naming.ts'
import { operationOf } from './operation.ts'
import { commonResponses } from './responses.ts'

// An OpenAPI 3.1 document from a route table. The contracts are JSON Schema already, so they are copied, not translated.

export interface OpenApiOptions {
  title: string
  version: string
  description: string
  serverUrl: string
}

export interface OpenApiDocument {
  openapi: string
  info: object
  paths: Record<string, Record<string, object>>
  [member: string]: unknown
}

export function openApiDocument(routes: readonly RouteOptions[], options: OpenApiOptions): OpenApiDocument {
  const { title, version, description, serverUrl } = options
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    const operations = (paths[pathOf(route.url)] ??= {})
    for (const method of methodsOf(route)) operations[method] = operationOf(method, route)
  }
  const document = {
    openapi: '3.1.1',
    info: { title, version, description },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map(({ url }) => tagOf(url)))].map((name) => ({ name, 'x-displayName': titleOf(name) })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA, NamedError: NAMED_ERROR_SCHEMA },
      headers: HEADERS,
      parameters: PARAMETERS,
      responses: commonResponses(),
      securitySchemes: { bearer: BEARER },
    },
  }
  // A copy without what TypeBox hides in its schemas and without shared objects.
  return JSON.parse(JSON.stringify(document)) as OpenApiDocument
}
