import { sql } from 'kysely'
import type { Job } from '../../../platform/jobs.ts'

export const holdJobs: readonly Job[] = [
  {
    name: 'holds.mark_expired',
    cron: '*/5 * * * *',
    run: async (_payload, { tenant }) => {
      await tenant((tx) => sql`select mark_expired_holds()`.execute(tx))
    },
  },
]
