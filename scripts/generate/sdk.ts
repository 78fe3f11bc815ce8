import { openApiDocument } from '../../apps/telemetry/src/http/openapi.ts'
import { version } from '../../apps/telemetry/src/version.ts'
import { type ApiDocument, routeLines } from './sdk/routes.ts'
import { typeLines } from './sdk/types.ts'
import type { Source } from './source.ts'

/** The types of the client: named contracts and, for each route of all services, the types of request and response. */
export function sdkRoutes({ openapi, composer }: Source): string {
  return routesFrom({
    Routes: openapi as ApiDocument,
    ComposerRoutes: composer.openapi as ApiDocument,
    TelemetryRoutes: openApiDocument(version) as ApiDocument,
  })
}

export function routesFrom(documents: Record<string, ApiDocument>): string {
  const types = new Map<string, string>()
  for (const { components } of Object.values(documents)) {
    for (const [name, schema] of Object.entries(components.schemas)) {
      if (name === 'Error' || name === 'NamedError') continue
      const lines = typeLines(name, schema)
      if (types.has(name) && types.get(name) !== lines) throw new Error(`Two contracts are called ${name}.`)
      types.set(name, lines)
    }
  }
  const named = [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, lines]) => lines)
  const routes = Object.entries(documents).map(([name, document]) => routeLines(name, document))
  return `// Written by "npm run generate" from the OpenAPI documents. Do not edit.\n\n${[...named, ...routes].join('\n\n')}\n`
}
