import type { ApiError } from '@tendon/sdk'

export interface Stale {
  version: number
  /** Empty where the API does not show it: after a deletion was refused. */
  current: Record<string, unknown>
  /** When somebody saved it, and who; undefined where the API does not know. */
  changedAt: string | undefined
  changedBy: string | undefined
  changedById: string | undefined
}

interface Body {
  current?: object
  current_version?: number
  changed_at?: string
  changed_by?: { principal_id: string | null; name: string | null }
}

/** The current row in a refusal because somebody else saved first (409 stale_version). */
export function staleOf(error: ApiError | null): Stale | undefined {
  if (error?.code !== 'stale_version') return undefined
  const { error: coded, details } = error.body as { error?: Body; details?: Body }
  const { current, current_version, changed_at, changed_by } = coded ?? details ?? {}
  return current_version === undefined
    ? undefined
    : {
        version: current_version,
        current: (current ?? {}) as Record<string, unknown>,
        changedAt: changed_at,
        changedBy: changed_by?.name ?? undefined,
        changedById: changed_by?.principal_id ?? undefined,
      }
}
