import type { DB } from '@tendon/db'
import { HostError } from '@tendon/video-host'
import type { Kysely } from 'kysely'
import { addJob, type Job } from '../../../platform/jobs.ts'
import { isShown, saveHostReference, updateVideoUrls } from './queries.ts'
import { deleteExpiredUploads } from './upload-queries.ts'

const FINISH = 'finish_exercise_video'
const RETRY_DELAY_MS = 30_000
const FIRST_POLL_MS = 60_000
const MAX_TRANSCODING_MS = 4 * 60 * 60 * 1000
/** Converting takes long, and what cannot be converted today cannot tomorrow: it is played as it was uploaded. */
const ATTEMPTS = 4
/** The first upload, and two more when the host has lost the video. */
const MAX_UPLOADS = 3

interface Later {
  runAt?: Date
  /** When the host started transcoding. */
  since?: string
}

/** In the transaction of the row that shows the video. */
export const finishLater = (tx: Kysely<DB>, reference: string, { runAt, ...state }: Later = {}): Promise<void> =>
  addJob(tx, FINISH, { reference, ...state }, { key: reference, maxAttempts: ATTEMPTS, ...(runAt ? { runAt } : {}) })

export const videoJobs: readonly Job[] = [
  {
    name: FINISH,
    async run({ reference, since, uploads }, { tenant, services: { videos, now, config }, signal, log }) {
      if (typeof reference !== 'string') return
      const shown = await tenant((tx) => isShown(tx, reference))
      const received = typeof uploads === 'number' ? uploads : 0
      const tools = {
        signal,
        mayUpload: received < MAX_UPLOADS,
        saveHostReference: (host: string) => tenant((tx) => saveHostReference(tx, reference, host)),
      }
      let retryAfterMs = 0
      const video = shown
        ? await videos.finish(reference, tools).catch((error: unknown) => {
            if (!(error instanceof HostError)) throw error
            retryAfterMs = error.retryAfterMs ?? 0
            log.warn({ err: error }, 'the video host is asked again later')
            return 'unanswered' as const
          })
        : 'as_it_is'
      const at = now().getTime()
      const again = (ms: number, state: Later = {}) =>
        tenant((tx) => finishLater(tx, reference, { runAt: new Date(at + ms), ...state }))
      if (video === 'later') await again(RETRY_DELAY_MS)
      if (video === 'uploaded' || video === 'transcoding' || video === 'unanswered') {
        const backstopMs = config.VIDEO_HOST_BACKSTOP_SECONDS * 1000
        const begun = typeof since === 'string' ? since : new Date(at).toISOString()
        // Poll soon: the webhook may arrive before this job is stored.
        const isFirst = typeof since !== 'string' || video === 'unanswered'
        if (at - new Date(begun).getTime() > MAX_TRANSCODING_MS)
          throw new Error('the video host did not finish within four hours')
        const state = { since: begun, uploads: video === 'uploaded' ? received + 1 : received }
        const waitMs = isFirst ? Math.min(FIRST_POLL_MS, backstopMs) : backstopMs
        await again(Math.max(waitMs, retryAfterMs), state)
      }
      const stays = typeof video === 'string' ? shown : await tenant((tx) => updateVideoUrls(tx, reference, video))
      // The exercise has released the video and deleted the files that existed at that time; delete the rest.
      if (!stays) await videos.delete(reference)
    },
  },
  {
    // Added by the trigger exercises_release_video.
    name: 'delete_exercise_video',
    async run({ reference }, { services: { videos } }) {
      if (typeof reference === 'string') await videos.delete(reference)
    },
  },
  {
    // Also finished ones, which are kept until then so that finishing can be repeated.
    name: 'delete_expired_video_uploads',
    cron: '*/10 * * * *',
    run: (_payload, { tenant, services }) => tenant((tx) => deleteExpiredUploads(tx, services.now())),
  },
]
