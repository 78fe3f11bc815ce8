import { sql } from 'kysely'
import type { Job } from '../../../platform/jobs.ts'

export const bookingJobs: readonly Job[] = [
  {
    name: 'bookings.clear_bookers',
    cron: '41 2 * * *',
    run: async (_payload, { tenant }) => {
      await tenant((tx) => sql`select clear_bookers()`.execute(tx), { long: true })
    },
  },
]
