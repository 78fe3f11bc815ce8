import { addJob, type Job } from '../../../platform/jobs.ts'
import type { Subscriber } from '../../../platform/outbox.ts'
import { refreshOutcomes } from './queries.ts'

const REFRESH_JOB = 'refresh_exercise_outcomes'

export const analyticsJobs: readonly Job[] = [
  {
    name: REFRESH_JOB,
    cron: '17 * * * *',
    async run(_payload, { tenant }) {
      await tenant(refreshOutcomes, { long: true })
    },
  },
]

/** What was measured of somebody who was erased does not stay in the view until the next hour. */
export const analyticsSubscribers: readonly Subscriber[] = [
  { type: 'gdpr.erase_completed', handle: (tx) => addJob(tx, REFRESH_JOB, {}, { key: 'erased' }) },
]
