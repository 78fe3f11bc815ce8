import { type Constraints, refusal } from '@tendon/http'

export const locationNotFound = refusal(
  404,
  'location_not_found',
  'Your organization has no location with this id. List its locations to see those it has.',
)
export const locationNameTaken = refusal(
  409,
  'location_name_taken',
  'Another location of your organization has this name. Choose another name.',
)

export const locationConstraints: Constraints = {
  locations_name_key: locationNameTaken,
}
