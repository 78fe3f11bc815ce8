import { sql } from 'kysely'
import { dataClasses } from './data-classes.ts'
import { gdprJobs } from './features/gdpr/jobs.ts'
import type { Job } from './platform/jobs.ts'

/** The background work of all features. */
export const jobs: readonly Job[] = [
  {
    name: 'delete_expired_rows',
    cron: '7 * * * *',
    run: async (_payload, { tenant }) => {
      await tenant((tx) => sql`select delete_expired_rows()`.execute(tx), { long: true })
    },
  },
  ...gdprJobs(dataClasses),
]
