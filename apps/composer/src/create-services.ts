import { createSessionTokens, openDatabase } from '@tendon/access'
import type { Config } from '@tendon/config'
import { createListener, type Login, RIGHTS_CHANNEL, urlFor } from '@tendon/db'
import { openObjectStore } from '@tendon/object-store'
import { createMetrics } from '@tendon/process'
import { createSecretBox, parseKeyring } from '@tendon/secrets'
import { openFfmpeg, openRenderHost } from '@tendon/video-host'
import { createRenderMetrics } from './metrics.ts'
import type { Services } from './services.ts'

interface MadeServices extends Services {
  close(): Promise<void>
}

/** Makes everything that the configuration names. */
export function createServices(config: Config, login: Login, databaseUrl: string): MadeServices {
  const db = openDatabase(config, login, databaseUrl)
  const rightsNotices = createListener(urlFor(login, databaseUrl, config.DATABASE_ROLE_SECRET), RIGHTS_CHANNEL)
  const objects = openObjectStore(config)
  const metrics = createMetrics(login === 'tendon_worker' ? 'composer-worker' : 'composer')
  const renderMetrics = createRenderMetrics(metrics)
  return {
    config,
    db,
    rightsNotices,
    box: createSecretBox(parseKeyring(config.KEYRING)),
    objects,
    host: openRenderHost(config, objects, { onRetry: renderMetrics.countHostError }),
    ffmpeg: openFfmpeg(config, { onKill: (cause) => renderMetrics.kills.inc({ cause }) }),
    sessionTokens: createSessionTokens({
      issuer: config.issuer,
      audience: config.AUTH_AUDIENCE,
      jwksUrl: config.jwksUrl,
      algorithms: config.AUTH_ALGORITHMS,
    }),
    metrics,
    renderMetrics,
    now: () => new Date(),
    async close() {
      await rightsNotices.close()
      await db.close()
    },
  }
}
