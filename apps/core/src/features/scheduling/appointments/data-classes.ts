import { asService } from '@tendon/db'
import { sql } from 'kysely'
import type { DataClass, Row } from '../../../platform/data-class.ts'
import { eraseAppointments } from './erasure.ts'

const KEPT = {
  en: 'A past appointment is part of the medical record, which the clinic must keep by law (GDPR, articles 9(2)(h) and 17(3)(b)).',
  ro: 'O programare trecută face parte din dosarul medical, pe care clinica îl păstrează prin lege (RGPD, articolele 9 alineatul (2) litera (h) și 17 alineatul (3) litera (b)).',
}

/** Notes of staff are the clinic's own and left out. */
export const appointmentDataClasses: readonly DataClass[] = [
  {
    name: 'appointments',
    table: 'appointments',
    label: { en: 'Appointments', ro: 'Programări' },
    patientColumn: 'patient_profile_id',
    export: {
      // Private custom fields belong to the clinic, like its notes.
      rows: async (tx, { patient_profile_id }, last, limit) => {
        const after = (last?.id as string | undefined) ?? null
        const { rows } = await sql<Row>`
          select id, starts_at, ends_at, time_zone, mode, status, source, title, patient_note, price_cents, currency, booker,
            wanted, appointment_custom_fields(custom_fields, false) as custom_fields, cancelled_at, cancelled_by,
            cancellation_reason, created_at
          from appointments
          where organization_id = (select current_app_org_id()) and patient_profile_id = ${patient_profile_id}
            and (${after}::uuid is null or id > ${after})
          order by id limit ${limit}`.execute(tx)
        return rows
      },
    },
    erase: {
      strategy: 'null',
      columns: ['booker', 'notes', 'patient_note', 'title', 'cancellation_reason', 'wanted'],
      because: KEPT,
      run: (tx, { patient_profile_id, now }) =>
        asService(tx, '*', (own) => eraseAppointments(own, patient_profile_id, now)),
    },
  },
  {
    name: 'appointment_reviews',
    table: 'appointment_reviews',
    label: { en: 'Reviews of appointments', ro: 'Recenzii ale programărilor' },
    patientColumn: 'patient_profile_id',
    export: { rows: ['appointment_id', 'rating', 'comment', 'created_at'] },
    erase: { strategy: 'null', columns: ['comment'], because: KEPT },
  },
]
