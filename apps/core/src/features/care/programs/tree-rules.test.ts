import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SafetyFinding } from '@tendon/contracts'
import fc from 'fast-check'
import {
  asWanted,
  copyOf,
  exerciseIdsOf,
  inOrder,
  problemsOfExercises,
  problemsOfIds,
  removedFrom,
  type StoredSession,
  wantedSessions,
} from './tree-rules.ts'

const entry = fc.record({
  id: fc.uuid(),
  exercise_id: fc.uuid(),
  position: fc.constant(1),
  sets: fc.integer({ min: 1, max: 50 }),
  reps: fc.option(fc.integer({ min: 1, max: 500 })),
  hold_seconds: fc.constant(null),
  rest_seconds: fc.constant(0),
  side: fc.constant(null),
  notes: fc.constant(null),
  override_reason: fc.constant(null),
  safety: fc.constant<SafetyFinding[]>([]).map((none) => [...none]),
})
const tree: fc.Arbitrary<StoredSession[]> = fc.array(
  fc.record({
    id: fc.uuid(),
    position: fc.constant(1),
    title: fc.constant('Monday'),
    notes: fc.constant(null),
    exercises: fc.array(entry, { maxLength: 4 }),
  }),
  { maxLength: 4 },
)
const idsOf = (sessions: readonly StoredSession[]) =>
  sessions.flatMap(({ id, exercises }) => [id, ...exercises.map((one) => one.id)]).sort()

describe('sessions and their exercises', () => {
  test('sent back unchanged are valid, and nothing is removed', () => {
    fc.assert(
      fc.property(tree, (before) => {
        const sent = asWanted(before).map(({ id, exercises, ...session }) => ({
          ...session,
          id: String(id).toUpperCase(),
          exercises: exercises.map(({ safety: _kept, id: own, ...one }) => ({ ...one, id: String(own) })),
        }))
        const wanted = wantedSessions(sent)
        assert.deepEqual(problemsOfIds(before, wanted), {})
        assert.deepEqual(removedFrom(before, wanted), { sessions: [], exercises: [] })
        assert.deepEqual(problemsOfExercises(wanted, new Set()), {}, 'what is there already may be archived')
      }),
    )
  })

  test('sessions and their exercises are removed exactly when they are left out', () => {
    fc.assert(
      fc.property(tree, fc.infiniteStream(fc.boolean()), (before, coin) => {
        const toss = () => coin.next().value === true
        const kept = before.filter(toss).map((session) => ({ ...session, exercises: session.exercises.filter(toss) }))
        const { sessions, exercises } = removedFrom(before, asWanted(kept))
        assert.deepEqual([...sessions, ...exercises, ...idsOf(kept)].sort(), idsOf(before))
      }),
    )
  })

  test('copied are all new, in the same order, and each must be published', () => {
    fc.assert(
      fc.property(tree, (before) => {
        const copy = copyOf(before)
        assert.ok(copy.every(({ id, exercises }) => id === null && exercises.every((one) => one.id === null)))
        const order = (of: readonly { exercises: readonly { exercise_id: string }[] }[]) =>
          inOrder(of).map(({ path, exercise }) => [path, exercise.exercise_id])
        assert.deepEqual(order(copy), order(before))
        assert.equal(Object.keys(problemsOfExercises(copy, new Set())).length, inOrder(copy).length)
        assert.deepEqual(problemsOfExercises(copy, new Set(exerciseIdsOf(copy))), {})
      }),
    )
  })

  test('given twice, or of another plan, are named by their field', () => {
    fc.assert(
      fc.property(tree, tree, (before, other) => {
        const twice = problemsOfIds(before, asWanted([...before, ...before]))
        assert.equal(Object.keys(twice).length, idsOf(before).length)
        const foreign = problemsOfIds(before, asWanted(other))
        assert.equal(Object.keys(foreign).length, idsOf(other).length)
      }),
    )
  })
})
