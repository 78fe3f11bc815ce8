import { sql } from 'kysely'
import type { Job } from '../../../platform/jobs.ts'

export const appointmentJobs: readonly Job[] = [
  {
    name: 'appointments.unmark_waitlist',
    cron: '*/5 * * * *',
    run: async (_payload, { tenant }) => {
      await tenant(async (tx) => {
        await sql`select unmark_waitlist()`.execute(tx)
        await sql`select mark_waitlist_again()`.execute(tx)
      })
    },
  },
]
