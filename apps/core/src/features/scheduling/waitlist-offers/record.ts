import { recorder } from '../../../platform/recorder.ts'
import type { StoredOffer } from './queries.ts'

/** Entries are encrypted under the patient's key. An offer publishes no event; the visit that is booked from it does. */
export const record = recorder({
  target: ({ id }: StoredOffer) => ({ type: 'waitlist_offer', id }),
  // The id of a hold is a capability.
  facts: ({ hold_id: _hold, ...facts }) => facts,
  patientProfileId: ({ patient_profile_id }) => patient_profile_id,
  acts: {
    made: { action: 'waitlist_offers.create', crud: 'C' },
    ended: { action: 'waitlist_offers.end', crud: 'U' },
    accepted: { action: 'waitlist_offers.accept', crud: 'U' },
    declined: { action: 'waitlist_offers.decline', crud: 'U' },
  },
})
