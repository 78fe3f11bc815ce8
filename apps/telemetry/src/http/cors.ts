import type { IncomingMessage } from 'node:http'

const PREFLIGHT_MAX_AGE_SECONDS = '600'
const NONE: readonly string[] = []

export interface Cors {
  /** Header lines of every answer to this request. */
  headers: (request: IncomingMessage) => readonly string[]
  /** Header lines of the answer to OPTIONS, beside those of every answer. */
  preflight: (request: IncomingMessage, method: string) => readonly string[]
}

/** CORS for exactly these origins; other origins get no headers. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Map(
    origins.map((url) => {
      const { origin } = new URL(url)
      const lines = [
        'access-control-allow-origin',
        origin,
        'access-control-expose-headers',
        'Retry-After, X-Request-ID',
      ]
      return [origin, [...lines, 'vary', 'Origin']]
    }),
  )
  const headers = ({ headers: { origin } }: IncomingMessage) =>
    origin === undefined ? NONE : (allowed.get(origin) ?? ['vary', 'Origin'])
  return {
    headers,
    preflight(request, method) {
      if (!allowed.has(request.headers.origin ?? '')) return NONE
      return [
        'access-control-allow-methods',
        method,
        'access-control-allow-headers',
        'Authorization, Content-Type, X-Batch-Meta',
        'access-control-max-age',
        PREFLIGHT_MAX_AGE_SECONDS,
      ]
    },
  }
}
