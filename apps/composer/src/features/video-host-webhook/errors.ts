import { refusal } from '@tendon/http'

export const wrongWebhookToken = refusal(
  401,
  'unauthenticated',
  'The token or the signature of the webhook is wrong. Give the video host the URL with ?token=<WEBHOOK_SECRET>.',
)
export const webhookTooLarge = refusal(413, 'payload_too_large', 'A webhook has at most 4096 bytes.')
