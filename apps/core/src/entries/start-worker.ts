import { gaugePools } from '@tendon/access'
import { readConfig } from '@tendon/config'
import { explainNotReady, findDatabaseUrl, listenOrExplain, serveMetrics, stopOnSignal } from '@tendon/process'
import { buildWorker } from '../build-worker.ts'
import { createServices } from '../create-services.ts'

type Variables = Record<string, string | undefined>

/** Works until a signal comes. */
export async function startWorker(variables: Variables): Promise<void> {
  const { services, metrics, databaseUrl, warnings } = await prepare(variables)
  const worker = await buildWorker(services, databaseUrl)
  for (const warning of warnings) worker.log.warn(warning)
  stopOnSignal(
    async () => {
      await worker.stop()
      metrics.close()
      await services.close()
    },
    { timeoutMs: services.config.SHUTDOWN_TIMEOUT_MS, log: (line) => worker.log.info(line) },
  )
  await worker.ended
}

/** Leaves nothing open when the start fails. */
async function prepare(variables: Variables) {
  const config = readConfig(variables)
  const databaseUrl = await findDatabaseUrl(config)
  const services = createServices(config, 'tendon_worker', databaseUrl)
  try {
    const warnings = await services.db.assertSafe().catch(explainNotReady)
    gaugePools(services.metrics, services.db)
    const metrics = await listenOrExplain('WORKER_METRICS_PORT', config.WORKER_METRICS_PORT, () =>
      serveMetrics(services.metrics, config, config.WORKER_METRICS_PORT),
    )
    return { services, metrics, databaseUrl, warnings }
  } catch (error) {
    await services.close()
    throw error
  }
}
