import type { TenantTx } from '@tendon/db'
import type { Job, JobTools } from '../../../platform/jobs.ts'
import { findAppointment } from '../appointments/index.ts'
import { EXPIRE_JOB, NEXT_JOB, SEND_JOB } from './job-names.ts'
import { addNextJob, offerNext } from './next.ts'
import { findRecipient, mailOffer, type Surroundings } from './offering.ts'
import { findOfferForUpdate, releaseOfferedTime, type StoredOffer, updateOffer } from './queries.ts'

const surroundingsOf = ({ services: { now, config } }: JobTools): Surroundings => ({
  now: now(),
  publicUrl: config.publicUrl,
  offeredBy: 'auto',
})

export const waitlistOfferJobs: readonly Job[] = [
  {
    name: NEXT_JOB,
    run: ({ specialist_id, starts_at }, tools) =>
      tools.tenant((tx) =>
        offerNext(
          tools,
          tx,
          { specialist_id: String(specialist_id), starts_at: String(starts_at) },
          surroundingsOf(tools),
        ),
      ),
  },
  {
    name: SEND_JOB,
    run: ({ offer_id }, tools) =>
      tools.tenant(async (tx) => {
        const offer = await findOfferForUpdate(tx, String(offer_id))
        if (offer?.status === 'open') await sendOrSkip(tx, offer, tools.services.config.publicUrl)
      }),
  },
  {
    // The clock ends an offer; this job says so, and asks the next person.
    name: EXPIRE_JOB,
    run: ({ offer_id }, tools) =>
      tools.tenant(async (tx) => {
        const offer = await findOfferForUpdate(tx, String(offer_id))
        if (offer?.status !== 'expired') return
        await updateOffer(tx, offer.id, 'expired')
        await releaseOfferedTime(tx, offer.hold_id)
        await addNextJob(tx, offer)
      }),
  },
]

/** What is known about the patient may have changed since the offer was made in the evening. */
async function sendOrSkip(tx: TenantTx, offer: StoredOffer, publicUrl: string): Promise<void> {
  const entry = await findAppointment(tx, offer.appointment_id)
  if (!entry || entry.status !== 'waitlist') return
  const recipient = await findRecipient(tx, entry, offer.starts_at, offer.ends_at)
  if (!('reason' in recipient)) return mailOffer(tx, offer, recipient, publicUrl)
  await updateOffer(tx, offer.id, 'skipped', recipient.reason)
  await releaseOfferedTime(tx, offer.hold_id)
  await addNextJob(tx, offer)
}
