import type { ApiError } from '@tendon/sdk'
import { isRecord } from '../form/body.ts'

export interface Stale {
  version: number
  /** Empty where the API does not show it: after a deletion was refused. */
  current: Record<string, unknown>
  /** When somebody saved it, and who; undefined where the API does not know. */
  changedAt: string | undefined
  changedBy: string | undefined
  changedById: string | undefined
}

/** The current row in a refusal because somebody else saved first (409 stale_version). */
export function staleOf(error: ApiError | null): Stale | undefined {
  if (error?.code !== 'stale_version') return undefined
  const { error: coded, details } = recordOf(error.body)
  const { current, current_version: version, changed_at, changed_by } = recordOf(coded ?? details)
  const { name, principal_id } = recordOf(changed_by)
  return typeof version !== 'number'
    ? undefined
    : {
        version,
        current: recordOf(current),
        changedAt: textOrNone(changed_at),
        changedBy: textOrNone(name),
        changedById: textOrNone(principal_id),
      }
}

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
const textOrNone = (value: unknown) => (typeof value === 'string' ? value : undefined)
