import { refusal } from '@tendon/http'

export const feedNotFound = refusal(
  404,
  'calendar_feed_not_found',
  'There is no calendar feed here. Create one, or create it again if its URL was replaced.',
)
export const feedOwnerNotFound = refusal(
  404,
  'specialist_not_found',
  'There is no specialist with this id whose feed you may create: your own, or any if you manage specialists.',
)
