import { REASON_CODES } from '../field-reasons.ts'

// What operations share by reference.

const header = (description: string, schema: object, example: unknown) => ({ description, schema, example })

export const HEADERS = {
  'X-Request-Id': header(
    'Include it when you report a problem.',
    { type: 'string' },
    '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17',
  ),
  'X-RateLimit-Limit': header('Requests allowed per minute.', { type: 'integer' }, 600),
  'X-RateLimit-Remaining': header('Requests left in this window.', { type: 'integer' }, 599),
  'X-RateLimit-Reset': header('End of this window, in unix seconds.', { type: 'integer' }, 1794735060),
  'Retry-After': header('Seconds to wait before the next attempt.', { type: 'integer' }, 1),
  'WWW-Authenticate': header('How to authenticate.', { type: 'string' }, 'Bearer'),
  ETag: header('The version, for If-Match.', { type: 'string' }, '"3"'),
  ContentTag: header('The content, for If-None-Match.', { type: 'string' }, 'W/"pUb1icT4g"'),
  'Idempotency-Replayed': header(
    '`true` when this is the stored response to an earlier request with the same key.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
}

export const PARAMETERS = {
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of what you read. If it was changed since, the request is refused with 409 `stale_version`. Without it the last write wins.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of the answer that you have. While it is the same, the answer is 304 without a body.',
    schema: { type: 'string', examples: ['W/"pUb1icT4g"'] },
  },
  'X-Organization-ID': {
    name: 'X-Organization-ID',
    in: 'header',
    required: false,
    description: 'The organization to act in. Without it: your current one, else your first.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes retries safe: for 24 hours, a request with the same key to the same URL returns the first response, and nothing is created twice.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{4,128}$' },
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Your own id for this request; it is returned in the response and written to the logs.',
    schema: { type: 'string', pattern: '^[\\w.:-]{8,128}$' },
  },
}

const REASONS = {
  type: 'object',
  description:
    'Machine-readable: field name → code and values, to translate messages. A field without an entry has only its message.',
  additionalProperties: {
    type: 'object',
    required: ['code'],
    properties: {
      code: { type: 'string', enum: REASON_CODES },
      params: { type: 'object', additionalProperties: true, description: 'For example `{"min": 2}` of `too_short`.' },
    },
  },
}

export const ERROR_SCHEMA = {
  title: 'Error',
  description: 'The body of every refusal. `code` is for programs, `message` for people.',
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        fields: {
          type: 'object',
          description: 'When the content is not valid: field name → message for people.',
          additionalProperties: { type: 'string' },
        },
        reasons: REASONS,
        required: { type: 'string', description: 'With 403 `forbidden`: the missing permission.' },
        missing_purposes: {
          type: 'array',
          description: 'With 412 `consent_required`: the texts to accept, with the names of purpose and clinic.',
          items: { type: 'object', additionalProperties: true },
        },
        missing_purpose: { type: 'string', description: 'With 403 `consent_required`: the purpose to consent to.' },
        request_id: { type: 'string', description: 'With 500: the id to report to support.' },
      },
      additionalProperties: true,
    },
  },
}

export const NAMED_ERROR_SCHEMA = {
  title: 'NamedError',
  description: 'The body of refusals about the content of requests for custom fields, profiles and segments.',
  type: 'object',
  required: ['status', 'name', 'message', 'details'],
  properties: {
    status: { type: 'integer' },
    name: { type: 'string' },
    message: { type: 'string' },
    details: {
      type: 'object',
      additionalProperties: true,
      properties: {
        errors: {
          type: 'array',
          description: 'With `ValidationError`: messages by field.',
          items: {
            type: 'object',
            required: ['field', 'message'],
            properties: { field: { type: 'string' }, message: { type: 'string' } },
          },
        },
        reasons: REASONS,
      },
    },
  },
}

/** There is no public license. */
export const LICENSE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' }

export const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'A session token of the identity provider, or an API key of a service account (`tk_…`).',
}

type Components = 'examples' | 'headers' | 'parameters' | 'responses' | 'schemas'

export const reference = (kind: Components, name: string) => ({ $ref: `#/components/${kind}/${name}` })
