import { createHash } from 'node:crypto'
import { EXERCISE_OUTCOMES } from '@tendon/contracts'
import { STALE_AFTER_MS } from '../../apps/core/src/features/care/session-runs/rules.ts'
import type { PastRun } from './demo-history-run.ts'

/** Rows that the patient's requests and the end of the run would have written. */
export function recordsOf({ id, patient, plan_session_id, started, session, vanished }: PastRun) {
  const { organization_id, patient_profile_id } = patient
  const owner = { organization_id, session_run_id: id, patient_profile_id }
  const timeAt = (ms: number) => new Date(started + ms).toISOString()
  const events: { session_exercise_id: string; type: string; at: number; by: 'client' | 'platform'; data: object }[] =
    []
  const pain: Record<string, unknown>[] = []
  for (const act of session.acts) {
    if (act.kind === 'media') continue
    const { at_ms: at, session_exercise_id } = act
    if (act.kind === 'exercise') {
      events.push({ session_exercise_id, type: act.type, at, by: 'client', data: act.data ?? {} })
      continue
    }
    const { severity, action, note } = act
    pain.push({ ...owner, session_exercise_id, severity, action, note, created_at: timeAt(at) })
    if (action === 'skip_exercise') events.push({ session_exercise_id, type: 'skipped', at, by: 'platform', data: {} })
  }
  const over = new Set(events.filter(({ type }) => ENDS.has(type)).map((event) => event.session_exercise_id))
  const all = patient.sessions.find((one) => one.id === plan_session_id)?.exercises ?? []
  const left = all.filter((exercise) => !over.has(exercise.id))
  // A page closed without `session_end` is detected two hours later.
  const ended = session.end_ms + (vanished ? STALE_AFTER_MS : 0)
  for (const { id: session_exercise_id } of left)
    events.push({ session_exercise_id, type: 'abandoned', at: ended, by: 'platform', data: {} })
  const { feedback } = session
  const said = timeAt(session.end_ms + 60_000)

  return {
    session_runs: [
      {
        id,
        organization_id,
        plan_session_id,
        status: vanished ? 'ended_auto' : session.ending === 'completed' ? 'ended_naturally' : 'ended_explicit',
        started_at: timeAt(-4_000),
        last_event_at: timeAt(session.end_ms),
        ended_at: timeAt(ended),
      },
    ],
    session_run_events: events.map(({ at, by, ...event }, place) => ({
      ...owner,
      ...event,
      client_event_id: by === 'client' ? clientEventId(id, place) : null,
      occurred_at: timeAt(at),
      created_at: timeAt(at),
    })),
    pain_reports: pain,
    session_feedback:
      feedback && !vanished ? [{ ...owner, comment: null, ...feedback, created_at: said, updated_at: said }] : [],
  }
}

const ENDS = new Set<string>(EXERCISE_OUTCOMES)

const clientEventId = (runId: string, place: number): string => {
  const hash = createHash('sha256').update(`${runId} ${place}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
