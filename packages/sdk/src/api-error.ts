/** Why a field was refused, for programs: a code and its values, for example `too_short {min: 8}`. */
export interface Reason {
  code: string
  params?: Record<string, unknown>
}

/** A text that the user has to accept, in their language. */
export interface MissingPurpose {
  organization_id: string | null
  organization_name: string | null
  purpose_code: string
  purpose_name: string
  required_version: number
  body: string
}

interface CodedBody {
  code?: string
  message?: string
  fields?: Record<string, string>
  reasons?: Record<string, Reason>
  required?: string
  missing_purposes?: MissingPurpose[]
  request_id?: string
}
interface NamedBody {
  name?: string
  message?: string
  details?: { errors?: { field: string; message: string }[]; reasons?: Record<string, Reason> }
}

/** A refusal of the API, whichever of its two envelopes it came in. Status 0: there was no answer. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** Field → what to change, in English. */
  readonly fields: Record<string, string>
  /** Field → why, for programs. */
  readonly reasons: Record<string, Reason>
  /** The missing permission. */
  readonly required: string | undefined
  /** The texts to accept before the request can be repeated. */
  readonly missingPurposes: MissingPurpose[]
  /** The texts in the refusal besides code and message, such as the `field` of an unprintable character. */
  readonly values: Record<string, string>
  readonly requestId: string | undefined
  /** Seconds to wait. */
  readonly retryAfter: number | undefined
  readonly body: unknown

  constructor(status: number, body: unknown, headers: Headers = new Headers()) {
    const { error: coded = {}, ...named } = (body ?? {}) as { error?: CodedBody } & NamedBody
    const errors = named.details?.errors ?? []
    super(coded.message ?? named.message ?? `The request failed (${status}).`)
    this.name = 'ApiError'
    this.status = status
    this.code = coded.code ?? named.name ?? 'unknown'
    this.fields = coded.fields ?? Object.fromEntries(errors.map(({ field, message }) => [field, message]))
    this.reasons = coded.reasons ?? named.details?.reasons ?? {}
    this.required = coded.required
    this.values = Object.fromEntries(Object.entries(coded).filter((entry) => typeof entry[1] === 'string'))
    this.missingPurposes = coded.missing_purposes ?? []
    this.requestId = coded.request_id ?? headers.get('x-request-id') ?? undefined
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined
    this.body = body
  }
}
