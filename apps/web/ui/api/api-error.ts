export interface ConsentText {
  purpose_id: string
  purpose_code: string
  [key: string]: unknown
}

/** One refusal, from either error envelope of the API. `status` 0: no answer came. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** Field name → sentence. */
  readonly fields: Record<string, string>
  /** The permission that is missing. */
  readonly required: string | undefined
  /** Seconds to wait. */
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined
  /** Everything else that the refusal carries. */
  readonly details: Record<string, unknown>

  constructor(status: number, code: string, message: string, more: Partial<ApiError> = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = more.fields ?? {}
    this.required = more.required
    this.retryAfter = more.retryAfter
    this.requestId = more.requestId
    this.details = more.details ?? {}
  }
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError

interface Coded {
  error: { code: string; message: string; fields?: Record<string, string>; required?: string }
}
interface Named {
  status: number
  name: string
  message: string
  details?: { errors?: { field?: string; path?: string; message: string }[] }
}

export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as Coded | Named | undefined
  const seconds = Number(response.headers.get('retry-after'))
  const more = {
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
  }
  if (body && 'error' in body) {
    const { code, message, fields, required, ...details } = body.error
    return new ApiError(response.status, code, message, { ...more, fields: fields ?? {}, required, details })
  }
  if (body && 'name' in body) {
    const errors = body.details?.errors ?? []
    const fields = Object.fromEntries(errors.map((e) => [e.field ?? e.path ?? '', e.message]))
    return new ApiError(response.status, body.name, body.message, { ...more, fields, details: body.details ?? {} })
  }
  return new ApiError(response.status, `http_${response.status}`, response.statusText, more)
}
