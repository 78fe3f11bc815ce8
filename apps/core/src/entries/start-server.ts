import { gaugePools } from '@tendon/access'
import { readConfig } from '@tendon/config'
import {
  explainNotReady,
  findDatabaseUrl,
  listenOrExplain,
  MAX_QUEUED_CONNECTIONS,
  serveMetrics,
  stopOnSignal,
} from '@tendon/process'
import { buildApp } from '../app.ts'
import { createServices } from '../create-services.ts'

/** Serves until a signal comes. Leaves nothing open when it cannot start. */
export async function startServer(variables: Record<string, string | undefined>): Promise<void> {
  const config = readConfig(variables)
  const services = createServices(config, 'tendon_app', await findDatabaseUrl(config))
  const opened: { close(): unknown }[] = [services]
  const stop = async () => {
    for (const one of opened.toReversed()) await one.close()
  }
  try {
    const warnings = await services.db.assertSafe().catch(explainNotReady)
    gaugePools(services.metrics, services.db)
    const app = buildApp(services)
    for (const warning of warnings) app.log.warn(warning)
    const metrics = await listenOrExplain('CORE_METRICS_PORT', config.CORE_METRICS_PORT, () =>
      serveMetrics(services.metrics, config, config.CORE_METRICS_PORT),
    )
    opened.push(metrics, app)
    await listenOrExplain('CORE_PORT', config.CORE_PORT, () =>
      app.listen({ host: config.HOST, port: config.CORE_PORT, backlog: MAX_QUEUED_CONNECTIONS }),
    )
    stopOnSignal(stop, { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, log: (line) => app.log.info(line) })
  } catch (error) {
    await stop()
    throw error
  }
}
