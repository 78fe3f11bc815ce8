import type { MyBooking } from '@tendon/contracts'
import { CLINIC, type ServiceTx, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const IS_MINE = sql<boolean>`patient_profile_id = any ((select current_app_profile_ids())::uuid[])`

export async function listMyUnlinkedBookings(tx: TenantTx): Promise<MyBooking[]> {
  const { rows } = await sql<{ booking: MyBooking }>`select booking from my_unlinked_bookings() as booking`.execute(tx)
  return rows.map(({ booking }) => booking)
}

/** Those with the verified address of the caller at the clinic in context. */
export async function listMyBookedIds(tx: TenantTx): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`select my_booked_ids() as ids`.execute(tx)
  return rows[0]?.ids ?? []
}

/** A booking without an account that is linked to nobody and has the verified address of the caller; locked. */
export function findUnlinkedForUpdate(tx: ServiceTx, id: string) {
  return tx
    .selectFrom('appointments')
    .select(['status', 'mode', sql<string | null>`booker ->> 'dismissed_by'`.as('dismissed_by')])
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .where('patient_id', 'is', null)
    .where('source', '=', 'public')
    .where(sql<boolean>`(booker ->> 'email')::citext = current_app_email()`)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The records of the caller at the clinic in context, the oldest first. */
export async function listMyRecordIds(tx: TenantTx): Promise<string[]> {
  const rows = await tx
    .selectFrom('patients')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where(IS_MINE)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateDismissed(tx: ServiceTx, id: string): Promise<void> {
  await tx
    .updateTable('appointments')
    .set({ booker: sql`booker || jsonb_build_object('dismissed_by', current_app_principal_id())` })
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .where('patient_id', 'is', null)
    .execute()
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
