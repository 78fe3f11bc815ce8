import { type Constraints, refusal } from '@tendon/http'

export const slotTaken = refusal(409, 'slot_taken', 'Somebody else has this time. Choose another one.')
export const slotUnavailable = refusal(
  422,
  'slot_unavailable',
  'The service is not offered at this time. List free times and choose one of them.',
)
export const dayFull = refusal(
  409,
  'day_full',
  'The day is full: the service has reached its limit for this day. Choose another day. Staff can exceed the limit with over_limit.',
)
export const tooManyHolds = refusal(
  429,
  'too_many_holds',
  'Too many times are being held. Book or release one, or wait a few minutes.',
)
export const holdNotFound = refusal(404, 'hold_not_found', 'There is no hold with this id.')
export const holdExpired = refusal(410, 'hold_expired', 'The hold has expired. Choose a time again.')
export const holdConverted = refusal(409, 'hold_converted', 'This hold has already been booked.')
export const tooManyStreams = refusal(503, 'unavailable', 'Too many streams are open. Try again in a moment.')

export const holdConstraints: Constraints = {
  time_claims_free_excl: slotTaken,
  holds_expired_check: holdExpired,
}
