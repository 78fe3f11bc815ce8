import { fieldRefusal, refusal } from '@tendon/http'

export const clinicNotFound = refusal(404, 'organization_not_found', 'There is no clinic with this slug.')
export const unreadableColor = fieldRefusal(
  'brand_color',
  'must be darker: white text on it has a contrast below 4.5 to 1',
)
