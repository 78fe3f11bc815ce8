import { isUuid } from '@tendon/contracts'
import { asService } from '@tendon/db'
import { sql } from 'kysely'
import type { Job } from '../../../platform/jobs.ts'
import { eraseBookings, NOTICE_JOB, SERIES_NOTICE_JOB } from '../appointments/index.ts'
import { MAIL_CODES } from './appointment-mail.ts'
import { ERASE_BOOKINGS_JOB } from './erase-my-bookings.ts'
import { sendNotice, sendSeriesNotice } from './notices.ts'

export const bookingJobs: readonly Job[] = [
  {
    name: 'bookings.clear_bookers',
    cron: '41 2 * * *',
    run: async (_payload, { tenant }) => {
      await tenant((tx) => sql`select clear_bookers()`.execute(tx), { long: true })
    },
  },
  {
    name: ERASE_BOOKINGS_JOB,
    run: async ({ appointment_ids }, { tenant, services }) => {
      const ids = Array.isArray(appointment_ids) ? appointment_ids.filter(isUuid) : []
      await tenant((tx) => asService(tx, '*', (own) => eraseBookings(own, ids, services.now())), { long: true })
    },
  },
  {
    name: NOTICE_JOB,
    run: ({ appointment_id }, { tenant, services }) =>
      tenant((tx) => asService(tx, MAIL_CODES, (own) => sendNotice(own, String(appointment_id), services.now()))),
  },
  {
    name: SERIES_NOTICE_JOB,
    run: ({ series_id }, { tenant }) =>
      tenant((tx) => asService(tx, MAIL_CODES, (own) => sendSeriesNotice(own, String(series_id)))),
  },
]
