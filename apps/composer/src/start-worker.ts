import { gaugePools } from '@tendon/access'
import { readConfig } from '@tendon/config'
import { explainNotReady, findDatabaseUrl, listenOrExplain, serveMetrics, stopOnSignal } from '@tendon/process'
import { createServices } from './create-services.ts'
import { buildWorker } from './worker/build-worker.ts'

/** Renders until a signal comes. */
export async function startWorker(variables: Record<string, string | undefined>): Promise<void> {
  const config = readConfig(variables)
  const services = createServices(config, 'tendon_worker', await findDatabaseUrl(config))
  try {
    const warnings = await services.db.assertSafe().catch(explainNotReady)
    gaugePools(services.metrics, services.db)
    const metrics = await listenOrExplain('COMPOSER_WORKER_METRICS_PORT', config.COMPOSER_WORKER_METRICS_PORT, () =>
      serveMetrics(services.metrics, config, config.COMPOSER_WORKER_METRICS_PORT),
    )
    const worker = await buildWorker(services)
    for (const warning of warnings) worker.log.warn(warning)
    stopOnSignal(
      async () => {
        await worker.stop()
        metrics.close()
        await services.close()
      },
      { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, log: (line) => worker.log.info(line) },
    )
  } catch (error) {
    await services.close()
    throw error
  }
}
