import { readConfig } from '@tendon/config'
import { explainNotReady, findDatabaseUrl, listenOrExplain, runEntry, serveMetrics, stopOnSignal } from '@tendon/http'
import { buildApp } from './app.ts'
import { createServices } from './create-services.ts'
import { gaugePools } from './platform/pool-gauges.ts'

runEntry(async () => {
  const config = readConfig(process.env)
  const services = createServices(config, 'tendon_app', await findDatabaseUrl(config))
  await services.db.assertSafe().catch(explainNotReady)
  gaugePools(services.metrics, services.db)
  const app = buildApp(services)
  const metrics = await listenOrExplain('CORE_METRICS_PORT', config.CORE_METRICS_PORT, () =>
    serveMetrics(services.metrics, config.HOST, config.CORE_METRICS_PORT),
  )
  await listenOrExplain('CORE_PORT', config.CORE_PORT, () => app.listen({ host: config.HOST, port: config.CORE_PORT }))

  stopOnSignal(
    async () => {
      await app.close()
      metrics.close()
      await services.close()
    },
    { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, log: (line) => app.log.info(line) },
  )
})
