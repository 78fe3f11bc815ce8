import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { doneIn, type EndOfExercise, tappedIn } from './done.ts'

const run = {
  exercises_total: 3,
  started_at: '2026-11-17T10:00:00Z',
  ended_at: '2026-11-17T10:20:00Z',
  last_event_at: '2026-11-17T10:20:00Z',
}
const end = (changed: Partial<EndOfExercise>): EndOfExercise => ({
  session_exercise_id: 'a',
  type: 'completed',
  data: {},
  created_at: '2026-11-17T10:10:00Z',
  measured_repetitions: null,
  ...changed,
})

describe('what was done in a run', () => {
  test('repetitions of the camera and of the patient are added up apart', () => {
    const { exercises, repetitions, active_seconds } = doneIn(run, [
      end({
        data: { repetitions_completed: 20, repetitions_tapped: 5, duration_seconds: 60 },
        measured_repetitions: 15,
      }),
      end({ data: { repetitions_completed: 8, repetitions_tapped: 8, duration_seconds: 30 }, type: 'skipped' }),
    ])
    assert.deepEqual(exercises, { total: 3, completed: 1, skipped: 1, abandoned: 0 })
    assert.deepEqual([repetitions, active_seconds], [{ measured: 15, tapped: 13 }, 90])
  })

  test('what is not known is null, not zero', () => {
    assert.deepEqual(doneIn(run, []).repetitions, { measured: null, tapped: null })
    assert.deepEqual(doneIn(run, [end({})]).repetitions, { measured: null, tapped: null })
    const zero = end({ data: { repetitions_completed: 0, repetitions_tapped: 0 }, measured_repetitions: 0 })
    assert.deepEqual(doneIn(run, [zero]).repetitions, { measured: 0, tapped: 0 })
  })

  test('a report with one number counts for the patient only where the camera measured nothing', () => {
    assert.equal(tappedIn({ repetitions_completed: 12 }, false), 12)
    assert.equal(tappedIn({ repetitions_completed: 12 }, true), null)
    assert.equal(tappedIn({ repetitions_completed: 12, repetitions_tapped: 2 }, true), 2)
  })
})
