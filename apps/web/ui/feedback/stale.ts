import type { ApiError } from '@tendon/sdk'

interface Stale {
  version: number
  current: Record<string, unknown>
}

/** The current row in a refusal because somebody else saved first (409 stale_version). */
export function staleOf(error: ApiError | null): Stale | undefined {
  if (error?.code !== 'stale_version') return undefined
  const { error: coded, details } = error.body as { error?: object; details?: object }
  const { current, current_version } = (coded ?? details ?? {}) as { current?: object; current_version?: number }
  return current === undefined || current_version === undefined
    ? undefined
    : { version: current_version, current: current as Record<string, unknown> }
}
