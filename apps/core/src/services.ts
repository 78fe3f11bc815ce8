import type { SessionTokens } from '@tendon/access'
import type { Config } from '@tendon/config'
import type { Database, Listener } from '@tendon/db'
import type { AnyMailTemplate } from '@tendon/mail'
import type { ObjectStore } from '@tendon/object-store'
import type { Outbound } from '@tendon/outbound'
import type { PdfRenderer } from '@tendon/pdf'
import type { SecretBox } from '@tendon/secrets'
import type { VideoHost } from '@tendon/video-host'
import type { Redis } from 'ioredis'
import type { Registry } from 'prom-client'
import type { DnsResolver } from './platform/dns.ts'
import type { MailProviders } from './platform/mail-providers.ts'
import type { PlatformProviders } from './platform/platform-providers.ts'
import type { Scheduling } from './platform/scheduling.ts'

/** Everything outside the process that the app uses, created by server.ts and worker.ts (or by a test). */
export interface Services {
  config: Config
  db: Database
  box: SecretBox
  objects: ObjectStore
  videos: VideoHost
  dns: DnsResolver
  /** Every request to a URL or host that a clinic or provider chose. */
  outbound: Outbound
  platformProviders: PlatformProviders
  mailProviders: MailProviders
  /** The templates of all features, by name. */
  mailTemplates: ReadonlyMap<string, AnyMailTemplate>
  sessionTokens: SessionTokens
  scheduling: Scheduling
  /** Renders documents in separate processes, started when first needed. */
  pdf: PdfRenderer
  /** What happened to holds, for streams. */
  holdNotices: Listener
  /** Notices of changes of rights, including those that other processes made. */
  rightsNotices: Listener
  redis: Redis | undefined
  metrics: Registry
  now: () => Date
}
