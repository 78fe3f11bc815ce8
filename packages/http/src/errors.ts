import { isObject } from '@tendon/contracts'

/**
 * The specification has two shapes of refusal. `coded`: `{error: {code, message, …}}`, everywhere. `named`: `{status, name,
 * message, details}`, of custom fields, profiles and segments.
 */
export type Envelope = 'coded' | 'named'

/** The only error whose message reaches a caller. Everything else is a plain 500 with a request id. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** Further members of `error`, such as `fields` or `required`; of a named one, its `details`. */
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>
  readonly envelope: Envelope

  constructor(
    status: number,
    code: string,
    message: string,
    extra: Record<string, unknown>,
    headers: Record<string, string>,
    envelope: Envelope = 'coded',
  ) {
    // A response, not a fault: capturing the stack would take most of the time, and an attacker can cause thousands.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.extra = extra
    this.headers = headers
    this.envelope = envelope
  }
}

/** A member that is a text, such as the `code` that PostgreSQL gives its errors, or a parameter in a URL. */
export function textIn(given: unknown, member: string): string | undefined {
  const value = isObject(given) ? given[member] : undefined
  return typeof value === 'string' ? value : undefined
}

/** An expected error. Called, it returns the error to throw; its properties are a row of the error table. */
export interface Refusal {
  (extra?: Record<string, unknown>, headers?: Record<string, string>): ApiError
  readonly status: number
  readonly code: string
  readonly words: string
  readonly example: Record<string, unknown>
  readonly envelope: Envelope
}

/** `words` may hold `{name}`: filled from `extra`. `example` shows `extra` in the documentation. */
export function refusal(
  status: number,
  code: string,
  words: string,
  example: Record<string, unknown> = {},
  envelope: Envelope = 'coded',
): Refusal {
  const make = (extra: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    new ApiError(status, code, fill(words, extra), extra, headers, envelope)
  return Object.assign(make, { status, code, words: fill(words, example), example, envelope })
}

/** A refusal of the second shape: what it is called with are its `details`. */
export const namedRefusal = (status: number, name: string, words: string, details: Record<string, unknown> = {}) =>
  refusal(status, name, words, details, 'named')

function fill(words: string, values: Record<string, unknown>): string {
  return words.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
}

export function envelopeOf(error: ApiError) {
  const { status, code, message, extra } = error
  return error.envelope === 'named'
    ? { status, name: code, message, details: extra }
    : { error: { code, message, ...extra } }
}
