import { tmpdir } from 'node:os'
import { readConfig } from '@tendon/config'
import { buildApp } from '../../apps/core/src/app.ts'
import { createServices } from '../../apps/core/src/create-services.ts'
import { openApiDocument } from '../../apps/telemetry/src/http/openapi.ts'
import { version } from '../../apps/telemetry/src/version.ts'

/** The OpenAPI documents of both services. No database is asked. */
export async function openApiDocuments(): Promise<{ core: object; telemetry: object }> {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: tmpdir(), LOG_LEVEL: 'silent' })
  const services = createServices(config, 'tendon_app', 'postgres://127.0.0.1:1/none')
  const app = buildApp(services)
  try {
    const core = (await app.inject('/v1/openapi.json')).json<object>()
    return { core, telemetry: openApiDocument(version) }
  } finally {
    await app.close()
    await services.close()
  }
}
