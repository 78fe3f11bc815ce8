import { type Constraints, fieldRefusal, refusal } from '@tendon/http'

export const closureNotFound = refusal(
  404,
  'closure_not_found',
  'Your organization has no closure with this id. List its closures to see those it has.',
)

export const closureConstraints: Constraints = {
  closures_location_fkey: fieldRefusal('location_id', 'must name a location of your organization'),
  closures_dates_check: fieldRefusal('date_to', 'must be on or after date, at most 366 days later'),
}
