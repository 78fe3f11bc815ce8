import type { Integration } from '@tendon/contracts'

/** How often a service must refuse the credentials in a row before the integration is in error. */
const MAX_REFUSALS = 3

export interface Health {
  status: Integration['status']
  failure_count: number
}

interface HealthChange extends Health {
  last_error_code?: string
  /** The reason of a change of status, for the history. */
  reason?: string
}

/** What a use or a check of an integration makes of it: `error` is the name of what failed, or undefined. */
export function healthAfter({ status, failure_count }: Health, error: string | undefined): HealthChange {
  if (error === undefined) {
    const recovered = status === 'error' || status === 'expired'
    return { status: recovered ? 'connected' : status, failure_count: 0, ...(recovered ? { reason: 'recovered' } : {}) }
  }
  if (error === 'invalid_grant') {
    return { status: 'expired', failure_count: failure_count + 1, last_error_code: error, reason: 'refresh_rejected' }
  }
  const refusals = error === 'authentication' ? failure_count + 1 : failure_count
  const broken = refusals >= MAX_REFUSALS && status === 'connected'
  return {
    status: broken ? 'error' : status,
    failure_count: refusals,
    last_error_code: error,
    ...(broken ? { reason: 'refused_repeatedly' } : {}),
  }
}

/** The offset of the specification, or the one of the page. */
export function offsetOf(query: Record<string, unknown>, page: number, limit: number): number {
  const given = typeof query.offset === 'string' && /^\d{1,9}$/.test(query.offset) ? Number(query.offset) : undefined
  return given ?? (page - 1) * limit
}

/** The path with a result added to its query. */
export function resultPath(returnPath: string, result: Record<string, string>): string {
  const url = new URL(returnPath, 'http://path.invalid')
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value)
  // `/.//evil.example` is a path here and becomes `//evil.example`, which a browser treats as another host.
  return `${url.pathname.replace(/^\/+/, '/')}${url.search}`
}
