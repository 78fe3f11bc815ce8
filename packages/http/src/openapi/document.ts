import type { RouteOptions } from 'fastify'
import { BEARER, ERROR_SCHEMA, HEADERS, LICENSE, NAMED_ERROR_SCHEMA, PARAMETERS } from './components.ts'
import { methodsOf, pathOf, tagOf, titleOf } from './naming.ts'
import { type Operation, operationOf } from './operation.ts'
import { schemaWriter } from './schemas.ts'
import { shareParts } from './shared-parts.ts'

// An OpenAPI 3.1 document from a route table. The contracts are JSON Schema already; each is written once, as a
// component under its own name.

export interface OpenApiOptions {
  title: string
  version: string
  description: string
  serverUrl: string
  /** Tag → what the operations under it are about. */
  tags: Readonly<Record<string, string>>
}

export interface OpenApiDocument {
  openapi: string
  info: object
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, object>>
  [member: string]: unknown
}

export function openApiDocument(routes: readonly RouteOptions[], options: OpenApiOptions): OpenApiDocument {
  const { title, version, description, serverUrl, tags } = options
  const schemas = schemaWriter()
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    const operations = (paths[pathOf(route.url)] ??= {})
    for (const method of methodsOf(route)) operations[method] = operationOf(method, route, schemas)
  }
  const shared = shareParts(Object.values(paths).flatMap((operations) => Object.values(operations)))
  const document = {
    openapi: '3.1.1',
    info: { title, version, description, license: LICENSE },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map(({ url }) => tagOf(url)))].map((name) => ({
      name,
      'x-displayName': titleOf(name),
      description: tags[name],
    })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA, NamedError: NAMED_ERROR_SCHEMA, ...schemas.components() },
      headers: HEADERS,
      parameters: { ...PARAMETERS, ...shared.parameters },
      responses: shared.responses,
      examples: shared.examples,
      securitySchemes: { bearer: BEARER },
    },
  }
  // A copy without what TypeBox hides in its schemas and without shared objects.
  return withoutUnused(JSON.parse(JSON.stringify(document)))
}

/** Shared parts that no operation of this service refers to are left out. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document)
  const { components } = document
  for (const kind of ['schemas', 'headers', 'parameters'])
    for (const name of Object.keys(components[kind] ?? {}))
      if (!text.includes(`"#/components/${kind}/${name}"`)) delete components[kind]?.[name]
  return document
}
