import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Entry, Report } from './outbox.ts'
import { withUnsent } from './unsent.ts'

const RUN = 'run-1'
const payload = {
  run_id: RUN,
  status: 'in_progress' as const,
  terminated_session_exercise_ids: ['a'],
  ended_exercises: [{ id: 'a', outcome: 'completed' as const, repetitions: 10 }],
  worst_pain: 3,
  active_seconds: 40,
  feedback_given: false,
}
const entries = (reports: Report[], run = RUN): Entry[] =>
  reports.map((report, id) => ({ ...report, id, run, person: 'p', organization: 'o', added: 0 }))
const ended = (type: 'completed' | 'skipped' | 'abandoned', session_exercise_id: string, data = {}): Report => ({
  kind: 'exercise',
  body: { client_event_id: 'c', session_exercise_id, type, data },
})
const pain = (severity: number, action: 'continue' | 'skip_exercise' | 'end_session', id = 'b'): Report => ({
  kind: 'pain',
  body: { severity, action, session_exercise_id: id },
})

describe('a run with reports in the outbox', () => {
  test('a run knows the exercises that ended without a connection, and its own end', () => {
    const known = withUnsent(
      payload,
      entries([
        ended('completed', 'b', { repetitions_completed: 12, duration_seconds: 31 }),
        ended('abandoned', 'c', { duration_seconds: 9 }),
        { kind: 'end', body: { termination: 'ended_explicit' } },
      ]),
    )
    assert.deepEqual(known, {
      run_id: RUN,
      status: 'ended_explicit',
      terminated_session_exercise_ids: ['a', 'b', 'c'],
      ended_exercises: [
        ...payload.ended_exercises,
        { id: 'b', outcome: 'completed', repetitions: 12 },
        { id: 'c', outcome: 'abandoned', repetitions: null },
      ],
      worst_pain: 3,
      active_seconds: 80,
      feedback_given: false,
    })
  })

  test('a run counts a report once, although the server has received it meanwhile', () => {
    const again = ended('skipped', 'a', { duration_seconds: 40 })
    assert.deepEqual(withUnsent(payload, entries([again])), payload)
  })

  test('a run knows the worst pain, and that pain skipped an exercise or ended the session', () => {
    const skipped = withUnsent(payload, entries([pain(7, 'skip_exercise'), pain(2, 'continue')]))
    assert.equal(skipped.worst_pain, 7)
    assert.deepEqual(skipped.ended_exercises.at(-1), { id: 'b', outcome: 'skipped', repetitions: null })
    const over = withUnsent(payload, entries([pain(1, 'end_session')]))
    assert.deepEqual([over.status, over.worst_pain], ['ended_explicit', 3])
  })

  test('a run knows that feedback was given, which ends it, but not from a report that was refused', () => {
    const feedback = entries([{ kind: 'feedback', body: { perceived_exertion: 2, pain: 8 } }])
    const known = withUnsent(payload, feedback)
    assert.deepEqual([known.feedback_given, known.status, known.worst_pain], [true, 'ended_explicit', 8])
    const refused = feedback.map((entry) => ({ ...entry, refused: true }) as const)
    assert.deepEqual(withUnsent(payload, refused), payload)
  })

  test('a run takes nothing from other runs, from media events, or after its end', () => {
    const media: Report = {
      kind: 'media',
      body: { event: 'session_end', session_id: RUN, media_id: 'a', media_type: 'video', timestamp: '' },
    }
    assert.deepEqual(withUnsent(payload, entries([ended('completed', 'b')], 'run-2')), payload)
    assert.deepEqual(withUnsent(payload, entries([media])), payload)
    const over = { ...payload, status: 'ended_auto' as const }
    assert.deepEqual(withUnsent(over, entries([ended('completed', 'b'), pain(2, 'end_session')])), over)
  })
})
