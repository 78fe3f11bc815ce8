import { asService } from '@tendon/db'
import { sql } from 'kysely'
import type { DataClass, Row } from '../../../platform/data-class.ts'
import { findOwnAddress } from '../../privacy/gdpr/index.ts'
import { eraseBookings } from '../appointments/index.ts'

/** Links and contacts of unlinked bookings that were made without an account, with the person's e-mail address. */
export const bookingDataClasses: readonly DataClass[] = [
  {
    name: 'unlinked_bookings',
    table: 'booking_links',
    label: { en: 'Bookings without an account', ro: 'Programări fără cont' },
    patientColumn: null,
    export: {
      // The verified address alone: one that staff typed may be somebody else's. No name, telephone number or note: the
      // booker may have booked for another person.
      rows: async (tx, { patient_id }, last, limit) => {
        const after = (last?.id as string | undefined) ?? null
        const { rows } = await sql<Row>`
          select id, starts_at, ends_at, time_zone, mode, status, created_at from appointments
          where organization_id = current_app_org_id() and patient_id is null
            and (booker ->> 'email')::citext = verified_address(${patient_id})
            and (${after}::uuid is null or id > ${after})
          order by id limit ${limit}`.execute(tx)
        return rows
      },
    },
    erase: {
      strategy: 'delete',
      run: (tx, { patient_id, now }) =>
        asService(tx, '*', async (own) => {
          const email = await findOwnAddress(own, patient_id)
          return email === null ? 0 : eraseBookings(own, email, now)
        }),
    },
  },
]
