import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { differencesOf } from './plan-differences.ts'
import type { DraftExercise, DraftSession, PlanDraft } from './plan-draft.ts'

const exercise = (change: Partial<DraftExercise> = {}): DraftExercise => ({
  key: 'e1',
  id: 'e1',
  exercise_id: 'x1',
  name: 'Heel slide',
  kind: 'reps_based',
  available: true,
  sets: '2',
  reps: '8',
  hold_seconds: '',
  rest_seconds: '30',
  side: '',
  notes: '',
  override_reason: '',
  ...change,
})
const session = (change: Partial<DraftSession> = {}): DraftSession => ({
  key: 's1',
  id: 's1',
  title: 'Session A',
  notes: '',
  exercises: [exercise()],
  ...change,
})
const plan = (...sessions: DraftSession[]): PlanDraft => ({
  title: 'Knee',
  description: '',
  starts_on: '',
  ends_on: '',
  sessions,
})
const rowsOf = (mine: DraftSession, theirs: DraftSession) => differencesOf(plan(mine), plan(theirs), (key) => key)

describe('the differences between two versions of a plan', () => {
  test('versions that say the same have none', () => {
    assert.deepEqual(rowsOf(session(), session()), [])
  })

  test('the name and the note of a session are named', () => {
    assert.deepEqual(rowsOf(session({ notes: 'Slowly' }), session({ title: 'Morning' })), [
      { label: 'Session A: sessionTitle', mine: 'Session A', theirs: 'Morning' },
      { label: 'Session A: sessionNotes', mine: 'Slowly', theirs: '' },
    ])
  })

  test('rest, side, note and reason of an exercise are named, also when the exercises are in another order', () => {
    const other = exercise({ id: 'e2', name: 'Squat' })
    const mine = session({ exercises: [exercise({ rest_seconds: '60', side: 'left', notes: 'Warm up' }), other] })
    const theirs = session({ exercises: [other, exercise({ override_reason: 'Agreed with the surgeon' })] })
    assert.deepEqual(rowsOf(mine, theirs), [
      { label: 'Session A', mine: 'Heel slide 2×8, Squat 2×8', theirs: 'Squat 2×8, Heel slide 2×8' },
      { label: 'Heel slide: exercise.rest', mine: '60', theirs: '30' },
      { label: 'Heel slide: exercise.side', mine: 'exercise.sides.left', theirs: '' },
      { label: 'Heel slide: exercise.notes', mine: 'Warm up', theirs: '' },
      { label: 'Heel slide: safety.why', mine: '', theirs: 'Agreed with the surgeon' },
    ])
  })

  test('a hold beside repetitions belongs to the dose', () => {
    const [row] = rowsOf(session(), session({ exercises: [exercise({ hold_seconds: '5' })] }))
    assert.equal(row?.theirs, 'Heel slide 2×8, 5 s')
  })
})
