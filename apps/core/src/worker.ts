import { readConfig } from '@tendon/config'
import { explainNotReady, findDatabaseUrl, listenOrExplain, runEntry, serveMetrics, stopOnSignal } from '@tendon/http'
import { buildWorker } from './build-worker.ts'
import { createServices } from './create-services.ts'
import { gaugePools } from './platform/pool-gauges.ts'

runEntry(async () => {
  const config = readConfig(process.env)
  const databaseUrl = await findDatabaseUrl(config)
  const services = createServices(config, 'tendon_worker', databaseUrl)
  await services.db.assertSafe().catch(explainNotReady)
  gaugePools(services.metrics, services.db)
  const metrics = await listenOrExplain('WORKER_METRICS_PORT', config.WORKER_METRICS_PORT, () =>
    serveMetrics(services.metrics, config.HOST, config.WORKER_METRICS_PORT),
  )
  const worker = await buildWorker(services, databaseUrl)

  stopOnSignal(
    async () => {
      await worker.stop()
      metrics.close()
      await services.close()
    },
    { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, log: (line) => worker.log.info(line) },
  )
  await worker.ended
})
