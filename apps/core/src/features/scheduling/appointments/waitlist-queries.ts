import { CLINIC, type RowOf, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export type GivenTime = RowOf<'appointments', 'specialist_id' | 'starts_at' | 'ends_at' | 'time_zone'> &
  Partial<RowOf<'appointments', 'location_id' | 'calendar_id'>> & { before_booking?: string }

/** Assigns a time to a waitlist entry. */
export async function setTime(tx: TenantTx, id: string, time: GivenTime): Promise<void> {
  await tx.updateTable('appointments').set(time).where('organization_id', '=', CLINIC).where('id', '=', id).execute()
}

/** A booked entry that waits again has the specialist and time that it had before, if staff gave it others. */
export async function restoreEntry(tx: TenantTx, id: string): Promise<void> {
  await sql`
    update appointments set specialist_id = (before_booking ->> 'specialist_id')::uuid,
      starts_at = (before_booking ->> 'starts_at')::timestamptz, ends_at = (before_booking ->> 'ends_at')::timestamptz,
      time_zone = before_booking ->> 'time_zone', before_booking = null
    where organization_id = (select current_app_org_id()) and id = ${id} and before_booking is not null`.execute(tx)
}
