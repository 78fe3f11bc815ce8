import type { RunPayload } from '@tendon/sdk'
import type { Entry } from './outbox.ts'
import type { Ended } from './player-state.ts'

type EndedExercise = Ended['ended_exercises'][number]
type Known = Pick<RunPayload, 'run_id' | 'status' | 'terminated_session_exercise_ids' | 'feedback_given'> & Ended

/** What is known of a run when the server receives the reports that are still in the outbox, in their order. */
export function withUnsent<Payload extends Known>(payload: Payload, entries: readonly Entry[]): Payload {
  return entries.filter(({ run, refused }) => run === payload.run_id && !refused).reduce(withReport, payload)
}

function withReport<Payload extends Known>(payload: Payload, report: Entry): Payload {
  const isOpen = payload.status === 'in_progress'
  const ended: Pick<Known, 'status'> = { status: 'ended_explicit' }
  switch (report.kind) {
    case 'exercise': {
      const { type: outcome, session_exercise_id: id, data = {} } = report.body
      if (!isOpen || outcome === 'started' || outcome === 'paused_for_pain') return payload
      return withEnded(payload, { id, outcome, repetitions: data.repetitions_completed ?? null }, data.duration_seconds)
    }
    case 'pain': {
      const { severity, action, session_exercise_id: id } = report.body
      const known = withPain(payload, severity)
      if (isOpen && action === 'end_session') return { ...known, ...ended }
      const isSkipped = isOpen && action === 'skip_exercise' && id
      return isSkipped ? withEnded(known, { id, outcome: 'skipped', repetitions: null }) : known
    }
    case 'end':
      return isOpen ? { ...payload, status: report.body.termination } : payload
    case 'feedback':
      return { ...withPain(payload, report.body.pain), feedback_given: true, ...(isOpen ? ended : {}) }
    case 'media':
      break
  }
  return payload
}

/** The first end of an exercise counts. */
function withEnded<Payload extends Known>(payload: Payload, exercise: EndedExercise, seconds = 0): Payload {
  if (payload.ended_exercises.some(({ id }) => id === exercise.id)) return payload
  return {
    ...payload,
    ended_exercises: [...payload.ended_exercises, exercise],
    terminated_session_exercise_ids: [...payload.terminated_session_exercise_ids, exercise.id],
    active_seconds: payload.active_seconds + seconds,
  }
}

const withPain = <Payload extends Known>(payload: Payload, severity: number): Payload => ({
  ...payload,
  worst_pain: Math.max(severity, payload.worst_pain ?? 0),
})
