import { isBlank } from '@tendon/contracts'
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'

/** Why a field was refused, for programs. Clients translate the code; `params` has the values for their sentence. */
export interface FieldReason {
  code: ReasonCode
  params?: Record<string, unknown>
}

export const REASON_CODES = [
  'required',
  'unknown_field',
  'not_allowed',
  'type',
  'one_of',
  'format',
  'pattern',
  'blank',
  'too_short',
  'too_long',
  'too_few',
  'too_many',
  'duplicate',
  'minimum',
  'maximum',
  'nothing_to_change',
  'invalid',
] as const
type ReasonCode = (typeof REASON_CODES)[number]

type Params = FastifySchemaValidationError['params']
type ReasonOf = (params: Params) => FieldReason

const limit =
  (code: ReasonCode, name: string): ReasonOf =>
  (params) => ({ code, params: { [name]: params.limit } })

/** Keyword of JSON Schema → reason. */
const BY_KEYWORD: Readonly<Record<string, ReasonOf>> = {
  required: () => ({ code: 'required' }),
  additionalProperties: () => ({ code: 'unknown_field' }),
  not: () => ({ code: 'not_allowed' }),
  type: ({ type }) => ({ code: 'type', params: { types: [type].flat() } }),
  enum: ({ allowedValues }) => ({ code: 'one_of', params: { values: allowedValues } }),
  const: ({ allowedValue }) => ({ code: 'one_of', params: { values: [allowedValue] } }),
  format: ({ format }) => ({ code: 'format', params: { format } }),
  pattern: ({ pattern }) => (pattern === '\\S' ? { code: 'blank' } : { code: 'pattern', params: { pattern } }),
  minLength: (params) => (params.limit === 1 ? { code: 'blank' } : limit('too_short', 'min')(params)),
  maxLength: limit('too_long', 'max'),
  minItems: limit('too_few', 'min'),
  maxItems: limit('too_many', 'max'),
  uniqueItems: () => ({ code: 'duplicate' }),
  minimum: limit('minimum', 'min'),
  maximum: limit('maximum', 'max'),
  minProperties: () => ({ code: 'nothing_to_change' }),
  maxProperties: limit('too_many', 'max'),
}

type Refused = FastifySchemaValidationError & { data?: unknown }

/** A name of invisible characters is refused by the format `line`; its reader sees an empty field. */
export const isUnseen = ({ keyword, params, data }: Refused): boolean =>
  keyword === 'format' && params.format === 'line' && typeof data === 'string' && isBlank(data)

export const fieldReason = (error: Refused): FieldReason =>
  isUnseen(error) ? { code: 'blank' } : (BY_KEYWORD[error.keyword]?.(error.params) ?? { code: 'invalid' })
