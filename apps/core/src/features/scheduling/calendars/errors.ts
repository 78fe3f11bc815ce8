import { type Constraints, fieldRefusal, refusal } from '@tendon/http'

export const calendarNotFound = refusal(
  404,
  'calendar_not_found',
  'Your organization has no calendar with this id. List its calendars to see those it has.',
)
export const overrideNotFound = refusal(404, 'override_not_found', 'This calendar has no override with this id.')
export const hoursOverlapping = refusal(
  409,
  'hours_overlap',
  'These hours overlap other hours of the same specialist. Change one of them.',
)
export const windowsOverlapping = fieldRefusal('windows', 'must not overlap')

export const calendarConstraints: Constraints = {
  calendars_specialist_fkey: fieldRefusal('specialist_id', 'must name a specialist of your organization'),
  calendars_location_fkey: fieldRefusal('location_id', 'must name a location of your organization'),
  calendar_services_service_fkey: fieldRefusal('service_ids', 'must name services of your organization'),
  calendar_overrides_service_fkey: fieldRefusal('service_id', 'must name a service of your organization'),
  calendar_overrides_dates_check: fieldRefusal('date_to', 'must be on or after date, at most 366 days later'),
}
