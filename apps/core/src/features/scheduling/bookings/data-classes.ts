import { sql } from 'kysely'
import type { DataClass, Row } from '../../../platform/data-class.ts'

/** Links and contacts of unlinked bookings that were made without an account, with the person's e-mail address. */
export const bookingDataClasses: readonly DataClass[] = [
  {
    name: 'unlinked_bookings',
    table: 'booking_links',
    label: { en: 'Bookings without an account', ro: 'Programări fără cont' },
    patientColumn: null,
    export: {
      rows: async (tx, { patient_id }, last, limit) => {
        const after = (last?.id as string | undefined) ?? null
        const { rows } = await sql<Row>`
          select * from unlinked_bookings(${patient_id}) where ${after}::uuid is null or id > ${after}
          order by id limit ${limit}`.execute(tx)
        return rows
      },
    },
    erase: {
      strategy: 'delete',
      run: async (tx, { patient_id }) => {
        const { rows } = await sql<{ count: number }>`select erase_unlinked_bookings(${patient_id}) as count`.execute(
          tx,
        )
        return rows[0]?.count ?? 0
      },
    },
  },
]
