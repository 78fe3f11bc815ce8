import type { Subscriber } from '../../../platform/outbox.ts'
import { addNextJob } from './next.ts'
import { findClinic, findOpenOfferForUpdate, releaseOfferedTime, updateOffer } from './queries.ts'
import { findEntry } from './waiting-queries.ts'

/**
 * An entry that was marked with a freed time starts the offers, if the clinic wants that. An entry that left the waitlist
 * keeps no time.
 */
export const waitlistOfferSubscribers: readonly Subscriber[] = [
  'appointment.updated',
  'appointment.confirmed',
  'appointment.cancelled',
].map((type) => ({
  type,
  handle: async (tx, { payload }) => {
    const id = appointmentIn(payload)
    const entry = id === undefined ? undefined : await findEntry(tx, id)
    if (id === undefined || !entry) return
    if (entry.status === 'waitlist') {
      if (entry.freed_slot && (await findClinic(tx)).isAutomatic) await addNextJob(tx, entry.freed_slot)
      return
    }
    const offer = await findOpenOfferForUpdate(tx, id)
    if (offer?.status !== 'open') return
    await updateOffer(tx, offer.id, 'ended')
    await releaseOfferedTime(tx, offer.hold_id)
    await addNextJob(tx, offer)
  },
}))

function appointmentIn(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !('appointment_id' in payload)) return undefined
  return typeof payload.appointment_id === 'string' ? payload.appointment_id : undefined
}
