import { asService } from '@tendon/db'
import { sql } from 'kysely'
import type { DataClass, Row } from '../../../platform/data-class.ts'
import { findOwnAddress } from '../../privacy/gdpr/index.ts'
import { eraseBookingsOf } from '../appointments/index.ts'

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
        const { rows } = await asService(tx, '*', (own) =>
          sql<Row>`
            select a.id, a.starts_at, a.ends_at, a.time_zone, a.mode, a.status, a.created_at
            from patients p join patient_profiles f on f.organization_id = p.organization_id and f.id = p.patient_profile_id
            join humans h on h.id = f.human_id and h.email_verified
            join appointments a on a.organization_id = p.organization_id and a.patient_id is null
              and (a.booker ->> 'email')::citext = h.email
            where p.organization_id = (select current_app_org_id()) and p.id = ${patient_id}
              and (${after}::uuid is null or a.id > ${after})
            order by a.id limit ${limit}`.execute(own),
        )
        return rows
      },
    },
    erase: {
      strategy: 'delete',
      run: (tx, { patient_id, now }) =>
        asService(tx, '*', async (own) => {
          const email = await findOwnAddress(own, patient_id)
          return email === null ? 0 : eraseBookingsOf(own, email, now)
        }),
    },
  },
]
