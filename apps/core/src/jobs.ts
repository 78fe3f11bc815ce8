import { sql } from 'kysely'
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
]
