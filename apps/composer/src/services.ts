import type { HttpApp, SessionTokens } from '@tendon/access'
import type { Config } from '@tendon/config'
import type { Database, Listener } from '@tendon/db'
import type { ObjectStore } from '@tendon/object-store'
import type { SecretBox } from '@tendon/secrets'
import type { Ffmpeg, RenderHost } from '@tendon/video-host'
import type { Registry } from 'prom-client'
import type { RenderMetrics } from './metrics.ts'

/** Everything outside the process that the composer uses. */
export interface Services {
  config: Config
  db: Database
  /** Notices of changes of rights, including those that other processes made. */
  rightsNotices: Listener
  box: SecretBox
  objects: ObjectStore
  host: RenderHost
  /** Undefined with FFMPEG_PATH=none. */
  ffmpeg: Ffmpeg | undefined
  sessionTokens: SessionTokens
  metrics: Registry
  renderMetrics: RenderMetrics
  now: () => Date
}

/** Adds endpoints to the app. */
export type Routes = (app: HttpApp, services: Services) => void
