import { refusal } from '@tendon/http'

export const feedNotFound = refusal(
  404,
  'calendar_feed_not_found',
  'There is no calendar feed with this URL. Create one, or create it again if its URL was replaced.',
)
export const feedOwnerNotFound = refusal(
  404,
  'specialist_not_found',
  'There is no specialist with this id whose feed you may create. You may create your own feed; with permission to manage specialists, any feed.',
)
