import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@tendon/config'
import { Database } from '@tendon/db'
import { createMetrics } from '@tendon/process'
import { createTestDatabase, freePort, TEST_ROLE_SECRET } from '@tendon/testing'
import { pino } from 'pino'
import { createApi, localTokens } from '../../../scripts/start/api.ts'
import { buildApp } from '../../core/src/app.ts'
import { buildWorker } from '../../core/src/build-worker.ts'
import { createServices } from '../../core/src/create-services.ts'
import { buildIdentity } from '../../identity/src/identity.ts'
import { createMemoryDisk } from '../../telemetry/src/log/memory-files.testing.ts'
import { buildTelemetry } from '../../telemetry/src/telemetry.ts'
import { buildWeb } from '../build.ts'

const WEB_DIR = join(import.meta.dirname, '../dist')
const HOST = '127.0.0.1'

/** The real core API with its worker, telemetry and identity provider, on a database of their own, and the built apps. */
export async function startServices(env: Record<string, string> = {}) {
  await buildWeb(WEB_DIR, 'local')
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'tendon-e2e-'))
  const [core, identityPort, telemetryPort] = await Promise.all([freePort(), freePort(), freePort()])
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
    RATE_LIMIT_ENTRY_PER_MINUTE: '1000000',
    RATE_LIMIT_PUBLIC_RESOLVE_PER_MINUTE: '1000000',
    RATE_LIMIT_PUBLIC_BOOKING_PER_MINUTE: '1000000',
    // A busy machine is no reason for a refusal.
    STATEMENT_TIMEOUT_MS: '60000',
    CONNECTION_WAIT_MS: '60000',
    REQUEST_TIMEOUT_MS: '120000',
    PDF_TIMEOUT_MS: '60000',
    CORE_PORT: String(core),
    IDENTITY_PORT: String(identityPort),
    TELEMETRY_PORT: String(telemetryPort),
    WEB_DIR,
    ...env,
  })
  const identity = await buildIdentity({
    host: HOST,
    port: config.IDENTITY_PORT,
    issuer: config.issuer,
    audience: config.AUTH_AUDIENCE,
    dataDir,
    webOrigins: config.webOrigins,
    logoutUrl: `${config.publicUrl}/auth/backchannel-logout`,
    accounts: [],
  })
  await identity.listen()

  const services = createServices(config, 'tendon_app', database.url)
  const app = buildApp(services)
  await app.listen({ port: config.CORE_PORT, host: HOST })

  const workerServices = createServices(config, 'tendon_worker', database.url)
  const worker = await buildWorker(workerServices, database.url)

  const telemetryDb = new Database({ ...database.options, login: 'tendon_telemetry', poolSize: 4 })
  const telemetry = buildTelemetry({
    config,
    files: createMemoryDisk(),
    db: telemetryDb,
    objects: services.objects,
    registry: createMetrics('telemetry'),
    log: pino({ level: 'silent' }),
    now: Date.now,
    onFatal: (error) => {
      throw error
    },
  })
  await new Promise<void>((resolve) => telemetry.server.listen(config.TELEMETRY_PORT, HOST, resolve))
  await telemetry.start()

  return {
    url: config.publicUrl,
    config,
    database,
    services,
    /** Calls the API as anybody: people are made by their first request. */
    api: createApi({ url: config.publicUrl, tokenOf: localTokens(config, () => undefined) }),
    async close() {
      await telemetry.stop()
      await telemetryDb.close()
      await worker.stop()
      await workerServices.close()
      await app.close()
      await services.close()
      await identity.close()
      await rm(dataDir, { recursive: true, force: true })
      await database.drop()
    },
  }
}

export type WebServices = Awaited<ReturnType<typeof startServices>>
