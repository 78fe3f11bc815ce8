import type { MyBooking } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export async function listMyUnlinkedBookings(tx: TenantTx): Promise<MyBooking[]> {
  const { rows } = await sql<{ booking: MyBooking }>`select booking from my_unlinked_bookings() as booking`.execute(tx)
  return rows.map(({ booking }) => booking)
}

export async function linkMyBooking(tx: TenantTx, id: string, patientId: string | null): Promise<string> {
  const { rows } = await sql<{ outcome: string }>`select link_my_booking(${id}, ${patientId}) as outcome`.execute(tx)
  return rows[0]?.outcome ?? 'not_found'
}

export async function dismissMyBooking(tx: TenantTx, id: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select dismiss_my_booking(${id}) as done`.execute(tx)
  return rows[0]?.done === true
}

/** The ids of an appointment that is linked to the caller. */
export async function findLinked(tx: TenantTx, id: string) {
  const { patient_id, patient_profile_id } = await tx
    .selectFrom('appointments')
    .select(['patient_id', 'patient_profile_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { appointment_id: id, patient_id, patient_profile_id }
}
