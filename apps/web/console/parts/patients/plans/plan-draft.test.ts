import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bodyOf, draftOf, emptyDraft, exerciseIdsOf, moved, newExercise, rebased, secondsOf } from './plan-draft.ts'

const stored = {
  title: 'Knee',
  description: null,
  starts_on: '2026-11-16',
  ends_on: null,
  sessions: [
    {
      id: 'session-1',
      position: 1,
      title: 'Monday',
      notes: null,
      exercises: [
        {
          id: 'row-1',
          position: 1,
          exercise_id: 'squat',
          sets: 3,
          reps: 10,
          hold_seconds: null,
          rest_seconds: 30,
          side: 'left' as const,
          notes: 'Slowly.',
          exercise: { id: 'squat', name: 'Squat', slug: 'squat', kind: 'reps_based' as const, available: true },
          override_reason: 'Tried in the clinic.',
          findings: [],
        },
      ],
    },
  ],
}

describe('the draft of a plan', () => {
  test('an unchanged plan is sent as it was read', () => {
    const body = bodyOf(draftOf(stored), () => true)
    assert.deepEqual(body, {
      title: 'Knee',
      description: null,
      starts_on: '2026-11-16',
      ends_on: null,
      sessions: [
        {
          id: 'session-1',
          title: 'Monday',
          notes: null,
          exercises: [
            {
              id: 'row-1',
              exercise_id: 'squat',
              sets: 3,
              reps: 10,
              hold_seconds: null,
              rest_seconds: 30,
              side: 'left',
              notes: 'Slowly.',
              override_reason: 'Tried in the clinic.',
            },
          ],
        },
      ],
    })
  })

  test('a copy has no ids, no days and no reasons of the earlier plan', () => {
    const body = bodyOf(draftOf(stored, { copy: true }), () => true)
    assert.equal(body.starts_on, null)
    const [session] = body.sessions
    assert.ok(session && !('id' in session))
    const [exercise] = session.exercises
    assert.ok(exercise && !('id' in exercise))
    assert.equal(exercise.override_reason, null)
  })

  test('exercises that somebody else removed are sent as new', () => {
    const body = bodyOf(rebased(draftOf(stored), { ...stored, sessions: [] }), () => false)
    const [session] = body.sessions
    assert.ok(session && !('id' in session))
    assert.ok(session.exercises[0] && !('id' in session.exercises[0]))
    assert.deepEqual(
      bodyOf(rebased(draftOf(stored), stored), () => true),
      bodyOf(draftOf(stored), () => true),
    )
  })

  test('a reason is sent only where the safety check asks for one', () => {
    const [session] = bodyOf(draftOf(stored), () => false).sessions
    assert.equal(session?.exercises[0]?.override_reason, null)
  })

  test('moving keeps every item; an index out of range changes nothing', () => {
    assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
    assert.deepEqual(moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b'])
    assert.deepEqual(moved(['a', 'b', 'c'], 0, -1), ['a', 'b', 'c'])
    assert.deepEqual(moved(['a', 'b', 'c'], 2, 3), ['a', 'b', 'c'])
  })

  test('each exercise is checked once, in the order of execution', () => {
    const draft = emptyDraft(2, (number) => `Session ${number}`)
    const add = (session: number, id: string) =>
      draft.sessions[session]?.exercises.push(newExercise({ id, kind: 'static' }, id))
    add(0, 'bridge')
    add(0, 'plank')
    add(1, 'bridge')
    assert.deepEqual(exerciseIdsOf(draft), ['bridge', 'plank'])
    assert.deepEqual(
      draft.sessions.map(({ title }) => title),
      ['Session 1', 'Session 2'],
    )
  })

  test('an exercise starts with its usual dose, otherwise with the default of its type', () => {
    const dose = ({ sets, reps, hold_seconds, rest_seconds }: ReturnType<typeof newExercise>) => [
      sets,
      reps,
      hold_seconds,
      rest_seconds,
    ]
    assert.deepEqual(dose(newExercise({ id: 'squat', kind: 'reps_based' }, 'Squat')), ['3', '10', '', '30'])
    const own = { sets: 2, hold_seconds: 5, rest_seconds: 0 }
    assert.deepEqual(dose(newExercise({ id: 'squat', kind: 'reps_based' }, 'Squat', own)), ['2', '', '5', '0'])
  })

  test('the duration of a session includes repetitions, holds and rests, and doubles for both sides', () => {
    const [session] = draftOf(stored).sessions
    assert.ok(session)
    assert.equal(secondsOf(session), 3 * (10 * 3 + 30))
    const [exercise] = session.exercises
    assert.ok(exercise)
    exercise.side = 'both'
    assert.equal(secondsOf(session), 3 * (2 * 10 * 3 + 30))
  })
})
