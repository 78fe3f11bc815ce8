import { refusal } from '@tendon/http'

// All refusals of the telemetry service.

export const invalidToken = refusal(
  401,
  'invalid_token',
  'Send a valid run token as "Authorization: Bearer <token>". The payload of the run contains a new one.',
)
export const consentRequired = refusal(
  403,
  'consent_required',
  'The patient has not given the consent that this needs, or has withdrawn it. Stop sending this kind of data in this run.',
)
export const malformedBatch = refusal(
  400,
  'malformed_batch',
  'The body is not a pose batch. Send one gzip member (application/octet-stream) with 1 to 600 frames of finite numbers, ordered by time.',
)
export const unsupportedVersion = refusal(
  400,
  'unsupported_version',
  'The format version of the pose batch is not supported. Send version 1.',
)
export const batchTooLarge = refusal(
  413,
  'batch_too_large',
  'The pose batch is larger than 64 KB after gzip. Send fewer frames per batch.',
)
export const unknownEvent = refusal(
  400,
  'unknown_event',
  'There is no media event of this type. See /v1/openapi.json for the types.',
)
export const invalidEvent = refusal(
  400,
  'invalid_event',
  'The body does not match its schema or is larger than 8 KB. See /v1/openapi.json for the schema.',
)
export const shed = refusal(
  429,
  'shed',
  'The service is overloaded and dropped this batch. Do not send it again; continue with the next one.',
)
export const rateLimited = refusal(
  429,
  'rate_limited',
  'This run or its clinic exceeds its rate limit. Wait for the seconds in Retry-After, then continue.',
)
export const unavailable = refusal(
  503,
  'unavailable',
  'Data cannot be stored at the moment. Send the same request again after the seconds in Retry-After.',
)
