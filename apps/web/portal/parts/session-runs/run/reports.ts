import type { MediaEvent } from '@tendon/sdk'
import type { Outbox } from './outbox.ts'
import type { Reports } from './player-deps.ts'
import type { RunClock } from './run-clock.ts'

interface ReportsOptions {
  run: string
  organization: string
  clock: RunClock
  outbox: Outbox
}

/** Writes the player's reports into the outbox, with their times and ids. */
export function createReports({ run, organization, clock, outbox }: ReportsOptions): Reports {
  const of = { run, organization }
  const lastAt = new Map<string, number>()
  /** The store keeps the order of these calls. */
  const put = (report: Parameters<Outbox['add']>[0]) => void outbox.add(report)

  return {
    exercise(type, session_exercise_id, at_ms, data) {
      const client_event_id = crypto.randomUUID()
      const occurred_at = clock.instant(at_ms)
      const body = { client_event_id, session_exercise_id, type, occurred_at, ...(data ? { data } : {}) }
      put({ ...of, kind: 'exercise', body })
    },
    pain(report, at_ms) {
      const body = { ...report, client_event_id: crypto.randomUUID(), occurred_at: clock.instant(at_ms) }
      put({ ...of, kind: 'pain', body })
    },
    media(event, media_id, at_ms, data) {
      // The server treats two events with the same type and time as one.
      const unique_ms = Math.max(at_ms, (lastAt.get(event) ?? -1) + 1)
      lastAt.set(event, unique_ms)
      const timestamp = clock.instant(unique_ms)
      const body: MediaEvent = {
        event,
        session_id: run,
        media_id,
        media_type: 'video',
        timestamp,
        ...(data ? { data } : {}),
      }
      put({ ...of, kind: 'media', body })
    },
    end(termination) {
      put({ ...of, kind: 'end', body: { termination } })
    },
  }
}
