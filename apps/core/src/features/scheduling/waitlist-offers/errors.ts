import { type Constraints, fieldRefusal, refusal } from '@tendon/http'

export const offerNotFound = refusal(
  404,
  'offer_not_found',
  'There is no offer with this link. Check the link in your mail.',
)
export const noOpenOffer = refusal(404, 'offer_not_found', 'This waitlist entry has no open offer.')
export const offerAccepted = refusal(
  409,
  'offer_accepted',
  'This offer has already been accepted. Check your mail for the confirmation.',
)
export const offerExpired = refusal(
  410,
  'offer_expired',
  'This offer has expired, and the time is no longer kept for you. You stay on the waitlist.',
)
export const offerEnded = refusal(
  410,
  'offer_ended',
  'This offer was declined, or the clinic ended it. Call the clinic if you want another time.',
)
export const offerOpen = refusal(
  409,
  'offer_open',
  'There is an open offer for this time or for this person. Wait for the answer, or end that offer first.',
)
export const notWaiting = refusal(
  409,
  'not_on_waitlist',
  'Only a waitlist entry can be offered a time. This appointment is {status}.',
  { status: 'confirmed' },
)
export const insideNotice = refusal(
  409,
  'too_late_to_offer',
  'It is too late to offer this time: when the mail arrives, less than the minimum notice of the service is left. Call the patient.',
)
export const noAddress = refusal(
  409,
  'no_address',
  'The patient of this entry has no e-mail address. Add one, or call the patient.',
)
export const patientErased = refusal(
  409,
  'patient_erased',
  'The data of this patient has been erased. Offer the time to another patient.',
)
export const offerNeedsTime = fieldRefusal('starts_at', 'is required: no freed time matches this entry')
export const offerNeedsSpecialist = fieldRefusal('specialist_id', 'is required with starts_at')
export const offeredTimeIsPast = fieldRefusal('starts_at', 'must be in the future')
export const unknownOfferSpecialist = fieldRefusal('specialist_id', 'must name a specialist of your organization')

export const waitlistOfferConstraints: Constraints = {
  waitlist_offers_open_time_key: offerOpen,
  waitlist_offers_open_person_key: offerOpen,
  waitlist_offers_specialist_fkey: unknownOfferSpecialist,
}
