import { MAX_CALENDAR_DAYS, MAX_CALENDAR_VISITS } from '@tendon/contracts'
import { fieldRefusal, refusal } from '@tendon/http'

export const endsBeforeStart = fieldRefusal('to', 'must be after from')
export const periodTooLarge = refusal(
  422,
  'period_too_large',
  `The calendar shows at most ${MAX_CALENDAR_DAYS} days and ${MAX_CALENDAR_VISITS} visits at once. Ask for fewer days, or for one specialist or one location.`,
)
