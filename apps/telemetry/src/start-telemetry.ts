import { join } from 'node:path'
import { readConfig } from '@tendon/config'
import { Database } from '@tendon/db'
import { openObjectStore } from '@tendon/object-store'
import {
  createMetrics,
  findDatabaseUrl,
  listenOrExplain,
  MAX_QUEUED_CONNECTIONS,
  StartError,
  serveMetrics,
  stopOnSignal,
} from '@tendon/process'
import { pino } from 'pino'
import { fitConnections } from './http/connections.ts'
import { openFolder } from './log/files.ts'
import { FolderInUse } from './log/folder-lock.ts'
import { logOptions } from './logger.ts'
import { buildTelemetry } from './telemetry.ts'

/** Serves until a signal arrives. */
export async function startTelemetry(variables: Record<string, string | undefined>): Promise<void> {
  const config = readConfig(variables)
  const log = pino(logOptions(config.LOG_LEVEL))
  const files = await openFolder(config.TELEMETRY_LOG_DIR ?? join(config.DATA_DIR, 'telemetry')).catch(
    (error: Error) => {
      throw error instanceof FolderInUse ? new StartError(error.message) : error
    },
  )
  const db = new Database({
    url: await findDatabaseUrl(config),
    roleSecret: config.DATABASE_ROLE_SECRET,
    login: 'tendon_telemetry',
    poolSize: 4,
    platformPoolSize: 1,
    connectionWaitMs: config.CONNECTION_WAIT_MS,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    longStatementTimeoutMs: config.LONG_STATEMENT_TIMEOUT_MS,
  })
  const registry = createMetrics('telemetry')
  const telemetry = buildTelemetry({
    config,
    files,
    db,
    objects: openObjectStore(config),
    registry,
    log,
    now: Date.now,
    onFatal: () => process.exit(1),
  })
  fitConnections(telemetry.server, log)
  const { HOST, TELEMETRY_PORT, TELEMETRY_METRICS_PORT } = config
  const metrics = await listenOrExplain('TELEMETRY_METRICS_PORT', TELEMETRY_METRICS_PORT, () =>
    serveMetrics(registry, config, TELEMETRY_METRICS_PORT),
  )
  await listenOrExplain('TELEMETRY_PORT', TELEMETRY_PORT, () => listen(HOST, TELEMETRY_PORT))
  stopOnSignal(
    async () => {
      await telemetry.stop()
      metrics.close()
      await db.close()
    },
    { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, log: (line) => log.info(line) },
  )
  await telemetry.start()

  function listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) =>
      telemetry.server.once('error', reject).listen({ port, host, backlog: MAX_QUEUED_CONNECTIONS }, resolve),
    )
  }
}
