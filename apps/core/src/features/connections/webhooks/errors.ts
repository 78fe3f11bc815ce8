import { refusal } from '@tendon/http'
import { MAX_SUBSCRIPTIONS } from './rules.ts'

export const webhookNotFound = refusal(
  404,
  'webhook_not_found',
  'Your organization has no webhook subscription with this uid. List its subscriptions to see them.',
)
export const deliveryNotFound = refusal(
  404,
  'delivery_not_found',
  'This webhook subscription has no delivery with this id. List its deliveries to see them.',
)
export const webhookInactive = refusal(
  409,
  'webhook_inactive',
  'This webhook subscription is inactive. Set is_active to true first.',
)
export const deliveryDiscarded = refusal(
  409,
  'delivery_discarded',
  'The event is about a patient whose processing is restricted or who was erased. It is not sent.',
)
export const tooManyWebhooks = refusal(
  403,
  'limit_exceeded',
  `An organization can have ${MAX_SUBSCRIPTIONS} webhook subscriptions. Delete one that you no longer need.`,
)
