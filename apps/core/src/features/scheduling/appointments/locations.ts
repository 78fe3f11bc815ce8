import type { TenantTx } from '@tendon/db'
import { unknownLocation } from './errors.ts'

/** A visit that is booked, moved or changed takes place where the clinic still is. What was booked there before stays. */
export async function mustBeOpen(tx: TenantTx, locationId: string | null | undefined): Promise<void> {
  if (!locationId) return
  const found = await tx
    .selectFrom('locations')
    .select('id')
    .where('id', '=', locationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw unknownLocation()
}
