import { type ServiceTx, together } from '@tendon/db'
import { type CancelledRow, updateCancelled } from './booking-queries.ts'
import { deleteNotice } from './notice-queries.ts'
import { freeTime } from './queries.ts'
import type { Mover } from './rules.ts'

/** Cancels, for its patient or booker, an appointment that has not started, and frees its time. Undefined when it has started or ended. */
export async function cancelAppointment(
  tx: ServiceTx,
  id: string,
  by: Exclude<Mover, 'staff'>,
  reason: string | null,
): Promise<CancelledRow | undefined> {
  const [cancelled] = await together([updateCancelled(tx, id, by, reason), freeTime(tx, id), deleteNotice(tx, id)])
  return cancelled
}
