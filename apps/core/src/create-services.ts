import { createSessionTokens, openDatabase } from '@tendon/access'
import type { Config } from '@tendon/config'
import { createListener, type Login, RIGHTS_CHANNEL, urlFor } from '@tendon/db'
import { openObjectStore } from '@tendon/object-store'
import { createOutbound } from '@tendon/outbound'
import { createPdfRenderer } from '@tendon/pdf'
import { createMetrics } from '@tendon/process'
import { createSecretBox, parseKeyring } from '@tendon/secrets'
import { openVideoHost } from '@tendon/video-host'
import { Redis } from 'ioredis'
import { createMailProviders } from './features/connections/mails/mail-providers.ts'
import { createPlatformProviders } from './features/connections/platform-service-providers/index.ts'
import { scheduling } from './features/scheduling/scheduling.ts'
import { mailTemplates } from './mail-templates.ts'
import { createDnsResolver } from './platform/dns.ts'
import type { Services } from './services.ts'

/** Creates the services of the configuration. `databaseUrl` is that of the embedded database when none is configured. */
export function createServices(
  config: Config,
  login: Login,
  databaseUrl: string,
): Services & { close(): Promise<void> } {
  const db = openDatabase(config, login, databaseUrl)
  const redis = config.REDIS_URL === undefined ? undefined : connectRedis(config.REDIS_URL)
  const objects = openObjectStore(config)
  const outbound = createOutbound({
    dnsServers: config.DNS_SERVERS,
    allowPrivate: config.OUTBOUND_ALLOW_PRIVATE === 'true',
  })
  const url = urlFor(login, databaseUrl, config.DATABASE_ROLE_SECRET)
  const holdNotices = createListener(url, 'holds')
  const rightsNotices = createListener(url, RIGHTS_CHANNEL)
  const pdf = createPdfRenderer({ processes: config.PDF_PROCESSES, timeoutMs: config.PDF_TIMEOUT_MS })
  const now = () => new Date()
  const box = createSecretBox(parseKeyring(config.KEYRING))
  const platformProviders = createPlatformProviders(db, box, now)
  const mailProviders = createMailProviders({ config, outbound, db, box, now, platformProviders })
  return {
    config,
    db,
    redis,
    box,
    objects,
    videos: openVideoHost(config, objects),
    dns: createDnsResolver(config.DNS_SERVERS),
    outbound,
    platformProviders,
    mailProviders,
    mailTemplates,
    sessionTokens: createSessionTokens({
      issuer: config.issuer,
      audience: config.AUTH_AUDIENCE,
      jwksUrl: config.jwksUrl,
      algorithms: config.AUTH_ALGORITHMS,
    }),
    scheduling,
    pdf,
    holdNotices,
    rightsNotices,
    metrics: createMetrics(login === 'tendon_worker' ? 'worker' : 'core'),
    now,
    async close() {
      redis?.disconnect()
      await pdf.close()
      await holdNotices.close()
      await rightsNotices.close()
      await mailProviders.close()
      await outbound.close()
      await db.close()
    },
  }
}

/** Answers at once or fails at once: a limiter that waits for Redis would be worse than none. */
function connectRedis(url: string): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 250 })
  redis.on('error', () => {}) // reported by /health and by the limiter's own warnings
  return redis
}
