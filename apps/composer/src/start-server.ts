import { gaugePools } from '@tendon/access'
import { type Config, readConfig } from '@tendon/config'
import {
  explainNotReady,
  findDatabaseUrl,
  listenOrExplain,
  MAX_QUEUED_CONNECTIONS,
  StartError,
  serveMetrics,
  stopOnSignal,
} from '@tendon/process'
import { buildApp } from './app.ts'
import { createServices } from './create-services.ts'
import { logSandbox } from './rendering/sandbox-messages.ts'

type WebhookConfig = Pick<Config, 'NODE_ENV' | 'WEBHOOK_SECRET' | 'WEBHOOK_OPEN'>

export function refuseOpenWebhook({ NODE_ENV, WEBHOOK_SECRET, WEBHOOK_OPEN }: WebhookConfig): void {
  if (NODE_ENV !== 'production' || WEBHOOK_SECRET !== '' || WEBHOOK_OPEN === 'true') return
  throw new StartError(
    'WEBHOOK_SECRET must be set when NODE_ENV=production: without it the composer accepts every webhook. Set WEBHOOK_OPEN=true to start without it.',
  )
}

/** Serves until a signal comes. Leaves nothing open when it cannot start. */
export async function startServer(variables: Record<string, string | undefined>): Promise<void> {
  const config = readConfig(variables)
  refuseOpenWebhook(config)
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
    const metrics = await listenOrExplain('COMPOSER_METRICS_PORT', config.COMPOSER_METRICS_PORT, () =>
      serveMetrics(services.metrics, config, config.COMPOSER_METRICS_PORT),
    )
    opened.push(metrics, app)
    await listenOrExplain('COMPOSER_PORT', config.COMPOSER_PORT, () =>
      app.listen({ host: config.HOST, port: config.COMPOSER_PORT, backlog: MAX_QUEUED_CONNECTIONS }),
    )
    if (services.ffmpeg) await logSandbox(services.ffmpeg, app.log)
    stopOnSignal(stop, { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, log: (line) => app.log.info(line) })
  } catch (error) {
    await stop()
    throw error
  }
}
