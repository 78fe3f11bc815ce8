import { CLINIC, type RowOf, type TenantTx } from '@tendon/db'

export type GivenTime = RowOf<'appointments', 'specialist_id' | 'starts_at' | 'ends_at' | 'time_zone'> &
  Partial<RowOf<'appointments', 'location_id' | 'calendar_id'>>

/** Assigns a time to a waitlist entry. */
export async function setTime(tx: TenantTx, id: string, time: GivenTime): Promise<void> {
  await tx.updateTable('appointments').set(time).where('organization_id', '=', CLINIC).where('id', '=', id).execute()
}
