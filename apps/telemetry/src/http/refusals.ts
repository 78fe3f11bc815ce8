import { refusal } from '@tendon/http'

// Every way in which the telemetry service says no.

export const invalidToken = refusal(
  401,
  'invalid_token',
  'Send a valid run token as "Authorization: Bearer <token>". A fresh one comes with the payload of the run.',
)
export const consentRequired = refusal(
  403,
  'consent_required',
  'The patient has not agreed to the capture of their movements. Do not send pose frames in this run.',
)
export const malformedBatch = refusal(
  400,
  'malformed_batch',
  'This is not a pose batch: one gzip member (application/octet-stream) with 1 to 600 frames of finite numbers in time.',
)
export const unsupportedVersion = refusal(
  400,
  'unsupported_version',
  'The pose batch has a format version that is not known here. Send version 1.',
)
export const batchTooLarge = refusal(
  413,
  'batch_too_large',
  'The pose batch is larger than 64 KB after gzip. Send fewer frames at once.',
)
export const unknownEvent = refusal(400, 'unknown_event', 'There is no media event of this type.')
export const invalidEvent = refusal(
  400,
  'invalid_event',
  'The body does not fit its schema, or is larger than 8 KB. See /v1/openapi.json for what it must hold.',
)
export const shed = refusal(
  429,
  'shed',
  'Too much to do just now: this batch was not taken. Do not send it again; go on with the next one.',
)
export const rateLimited = refusal(
  429,
  'rate_limited',
  'This run or its clinic sends more than it may. Wait for the seconds in Retry-After, then go on.',
)
export const unavailable = refusal(
  503,
  'unavailable',
  'Nothing can be stored just now. Send the same again after the seconds in Retry-After.',
)
