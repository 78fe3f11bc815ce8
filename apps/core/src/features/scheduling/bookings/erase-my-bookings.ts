import type { TenantTx } from '@tendon/db'
import { addJob } from '../../../platform/jobs.ts'
import { listMyBookedIds } from './my-queries.ts'

export const ERASE_BOOKINGS_JOB = 'bookings.erase'

/** Erases bookings of somebody who erases their account: adds the job, in the clinic that the transaction is in. */
export async function eraseMyBookings(tx: TenantTx): Promise<void> {
  const ids = await listMyBookedIds(tx)
  if (ids.length > 0) await addJob(tx, ERASE_BOOKINGS_JOB, { appointment_ids: ids })
}
