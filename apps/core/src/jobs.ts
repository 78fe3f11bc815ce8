import { sql } from 'kysely'
import { dataClasses } from './data-classes.ts'
import { analyticsJobs } from './features/care/analytics/jobs.ts'
import { sessionRunJobs } from './features/care/session-runs/jobs.ts'
import { videoJobs } from './features/exercise-library/videos/jobs.ts'
import { gdprJobs } from './features/privacy/gdpr/jobs.ts'
import { segmentJobs } from './features/records/segments/jobs.ts'
import type { Job } from './platform/jobs.ts'
import { unclaimedObjectJobs } from './platform/unclaimed-objects.ts'

/** The background work of all features. */
export const jobs: readonly Job[] = [
  {
    name: 'delete_expired_rows',
    cron: '7 * * * *',
    run: async (_payload, { tenant }) => {
      await tenant((tx) => sql`select delete_expired_rows()`.execute(tx), { long: true })
    },
  },
  ...unclaimedObjectJobs,
  ...segmentJobs,
  ...videoJobs,
  ...sessionRunJobs,
  ...analyticsJobs,
  ...gdprJobs(dataClasses),
]
