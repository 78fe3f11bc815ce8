import { systemContext } from '@tendon/access'
import { HostPaused } from '@tendon/video-host'
import type { AttemptTools } from './attempt.ts'
import {
  deleteUnusedBundleFiles,
  deleteUnusedRender,
  forgetReference,
  listAbandonedVideos,
  listUnusedRenders,
} from './queries.ts'

const AT_ONCE = 50

/** Deletes at the host what cancelled and failed renders left there. */
export async function deleteAbandoned({ services, metrics, log }: AttemptTools): Promise<void> {
  const { db, host } = services
  for (const { id, organizationId, reference } of await db.tenant(systemContext(null), (tx) =>
    listAbandonedVideos(tx, AT_ONCE),
  )) {
    if (reference === null) continue
    try {
      await host.delete(reference)
      await db.tenant(systemContext(organizationId), (tx) => forgetReference(tx, id, reference))
    } catch (error) {
      if (error instanceof HostPaused) return
      metrics.countHostError(error)
      log.warn({ err: error, render: id }, 'deletion at the video host failed; it is tried again')
    }
  }
}

/** Deletes renders and files of bundles that nothing uses any more, and shrinks the cache. */
export async function sweep({ services, cache, metrics, log }: AttemptTools): Promise<void> {
  const { db, host, now, config } = services
  for (const { id, reference } of await db.tenant(systemContext(null), (tx) => listUnusedRenders(tx, now(), AT_ONCE))) {
    try {
      if (reference !== null) await host.delete(reference)
      await db.tenant(systemContext(null), (tx) => deleteUnusedRender(tx, id))
    } catch (error) {
      if (error instanceof HostPaused) break
      metrics.countHostError(error)
      log.warn({ err: error, render: id }, 'deletion of an unused render failed; it is tried again')
    }
  }
  await db.tenant(systemContext(null), (tx) => deleteUnusedBundleFiles(tx, now()))
  const { bytes } = await cache.sweep(config.COMPOSER_CACHE_GB * 1e9)
  metrics.cacheBytes.set(bytes)
}
