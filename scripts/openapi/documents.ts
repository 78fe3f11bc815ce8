import { tmpdir } from 'node:os'
import { readConfig } from '@tendon/config'
import { buildApp as buildComposer } from '../../apps/composer/src/app.ts'
import { createServices as createComposerServices } from '../../apps/composer/src/create-services.ts'
import { buildApp } from '../../apps/core/src/app.ts'
import { createServices } from '../../apps/core/src/create-services.ts'
import { openApiDocument } from '../../apps/telemetry/src/http/openapi.ts'
import { version } from '../../apps/telemetry/src/version.ts'

const NO_DATABASE = 'postgres://127.0.0.1:1/none'

/** The OpenAPI documents of all services. Needs no database. */
export async function openApiDocuments(): Promise<{ core: object; composer: object; telemetry: object }> {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: tmpdir(), LOG_LEVEL: 'silent' })
  const services = createServices(config, 'tendon_app', NO_DATABASE)
  const composerServices = createComposerServices(config, 'tendon_app', NO_DATABASE)
  const app = buildApp(services)
  const composerApp = buildComposer(composerServices)
  try {
    const core = (await app.inject('/v1/openapi.json')).json<object>()
    const composer = (await composerApp.inject('/v1/openapi.json')).json<object>()
    return { core, composer, telemetry: openApiDocument(version) }
  } finally {
    await Promise.all([app.close(), composerApp.close()])
    await Promise.all([services.close(), composerServices.close()])
  }
}
