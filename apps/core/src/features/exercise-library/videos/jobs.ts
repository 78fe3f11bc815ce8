import type { DB } from '@tendon/db'
import type { Kysely } from 'kysely'
import { addJob, type Job } from '../../../platform/jobs.ts'
import { isShown, updateAddresses } from './queries.ts'

const FINISH = 'finish_exercise_video'
const POLL_DELAY_MS = 30_000
/** Converting takes long, and what cannot be converted today cannot tomorrow: it is played as it was uploaded. */
const ATTEMPTS = 4

/** In the transaction of the row that shows the video. */
export const finishLater = (tx: Kysely<DB>, reference: string, runAt?: Date): Promise<void> =>
  addJob(tx, FINISH, { reference }, { key: reference, maxAttempts: ATTEMPTS, ...(runAt ? { runAt } : {}) })

export const videoJobs: readonly Job[] = [
  {
    name: FINISH,
    async run({ reference }, { tenant, services: { videos, now }, signal }) {
      if (typeof reference !== 'string') return
      const shown = await tenant((tx) => isShown(tx, reference))
      const video = shown ? await videos.finish(reference, signal) : 'as_it_is'
      if (video === 'later') await tenant((tx) => finishLater(tx, reference, new Date(now().getTime() + POLL_DELAY_MS)))
      const stays = typeof video === 'string' ? shown : await tenant((tx) => updateAddresses(tx, reference, video))
      // The exercise that released it meanwhile deleted the files that existed then.
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
]
