/** The only error whose words reach a caller. Everything else is a bare 500 with a request id. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** Further members of `error` in the envelope, such as `fields` or `required`. */
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: string,
    message: string,
    extra: Record<string, unknown>,
    headers: Record<string, string>,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.extra = extra
    this.headers = headers
  }
}

/** A reason to say no: called, it gives the error to throw; read, it is a row of the error table. */
export interface Refusal {
  (extra?: Record<string, unknown>, headers?: Record<string, string>): ApiError
  readonly status: number
  readonly code: string
  readonly words: string
  readonly example: Record<string, unknown>
}

/** `words` may hold `{name}`: filled from `extra`. `example` shows `extra` in the documentation. */
export function refusal(status: number, code: string, words: string, example: Record<string, unknown> = {}): Refusal {
  const make = (extra: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    new ApiError(status, code, fill(words, extra), extra, headers)
  return Object.assign(make, { status, code, words: fill(words, example), example })
}

function fill(words: string, values: Record<string, unknown>): string {
  return words.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
}

export function envelopeOf(error: ApiError) {
  return { error: { code: error.code, message: error.message, ...error.extra } }
}
