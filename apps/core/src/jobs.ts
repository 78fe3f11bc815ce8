import { sql } from 'kysely'
import { dataClasses } from './data-classes.ts'
import { features } from './features.ts'
import type { Job } from './platform/jobs.ts'
import { unclaimedObjectJobs } from './platform/unclaimed-objects.ts'

/** The background work of the platform and of all features. */
export const jobs: readonly Job[] = [
  {
    name: 'delete_expired_rows',
    cron: '7 * * * *',
    run: async (_payload, { tenant }) => {
      await tenant((tx) => sql`select delete_expired_rows()`.execute(tx), { long: true })
    },
  },
  ...unclaimedObjectJobs,
  ...features.flatMap((one) => (typeof one.jobs === 'function' ? one.jobs(dataClasses) : one.jobs)),
]
