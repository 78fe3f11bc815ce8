import { isUuid } from '@tendon/contracts'
import { asService } from '@tendon/db'
import { sql } from 'kysely'
import type { Job } from '../../../platform/jobs.ts'
import { ERASE_MAILS_JOB } from './erasure.ts'
import { deleteMailsAbout } from './erasure-queries.ts'

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
  {
    name: ERASE_MAILS_JOB,
    run: async ({ calendar_uids }, { tenant }) => {
      const uids = Array.isArray(calendar_uids) ? calendar_uids.filter(isUuid) : []
      await tenant((tx) => asService(tx, '*', (own) => deleteMailsAbout(own, uids)))
    },
  },
]
