import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NewTreatmentPlan } from '@tendon/contracts'
import { emptyDraft, moved, newExercise, type PlanDraft } from './plan-draft.ts'
import {
  DOSE_BOUNDS,
  type DoseName,
  locate,
  problemOfNumber,
  problemsOf,
  problemsWhileTyping,
} from './plan-problems.ts'

const FREE = { needsReason: () => false, isGiven: false }

function draftWith(change: Partial<ReturnType<typeof newExercise>> = {}): PlanDraft {
  const draft = emptyDraft(1, () => 'Monday')
  draft.title = 'Knee'
  draft.sessions[0]?.exercises.push({ ...newExercise({ id: 'squat', kind: 'reps_based' }, 'Squat'), ...change })
  return draft
}

describe('the problems of a plan that is edited', () => {
  test('the bounds of a dose are those of the contract', () => {
    const exercise = NewTreatmentPlan.properties.sessions.items.properties.exercises.items.properties
    for (const name of Object.keys(DOSE_BOUNDS) as DoseName[]) {
      const { min, max } = DOSE_BOUNDS[name]
      const { minimum, maximum }: Record<string, number> = JSON.parse(JSON.stringify(exercise[name]))
      assert.deepEqual({ minimum, maximum }, { minimum: min, maximum: max }, name)
    }
  })

  test('a number is taken as it was typed or marked, never changed', () => {
    const codeOf = (name: DoseName, typed: string) => problemOfNumber(name, typed)?.code
    assert.deepEqual(
      ['1', '50', ' 3 ', '0', '51', '-5', '', '3.5', 'three', '1e1', '12345'].map((typed) => codeOf('sets', typed)),
      [
        undefined,
        undefined,
        undefined,
        'minimum',
        'maximum',
        'minimum',
        'required',
        'whole_number',
        'whole_number',
        'whole_number',
        'maximum',
      ],
    )
    assert.deepEqual(
      ['', '0', '-1'].map((typed) => codeOf('rest_seconds', typed)),
      ['required', undefined, 'minimum'],
    )
    assert.deepEqual(
      ['', '0'].map((typed) => codeOf('reps', typed)),
      [undefined, 'minimum'],
    )
    assert.equal(codeOf('hold_seconds', ''), undefined)
  })

  test('every problem has the name that the API gives the field', () => {
    const draft = draftWith({ sets: '0', reps: 'x', rest_seconds: '' })
    draft.title = ' '
    draft.starts_on = '2026-11-20'
    draft.ends_on = '2026-11-19'
    draft.sessions.push({ key: 'second', title: '', notes: '', exercises: [] })
    const problems = problemsOf(draft, { needsReason: () => true, isGiven: true })
    assert.deepEqual(problems, {
      title: { code: 'required' },
      ends_on: { code: 'wrong_order' },
      'sessions.0.exercises.0.sets': { code: 'minimum', params: { min: 1 } },
      'sessions.0.exercises.0.reps': { code: 'whole_number' },
      'sessions.0.exercises.0.rest_seconds': { code: 'required' },
      'sessions.0.exercises.0.override_reason': { code: 'required' },
      'sessions.1.title': { code: 'required' },
      'sessions.1.exercises': { code: 'required' },
    })
    assert.deepEqual(Object.keys(problemsWhileTyping(problems)), [
      'ends_on',
      'sessions.0.exercises.0.sets',
      'sessions.0.exercises.0.reps',
    ])
  })

  test('a draft may have empty sessions, a plan that is given may not', () => {
    assert.deepEqual(problemsOf(draftWith(), { ...FREE, isGiven: true }), {})
    const empty = { ...emptyDraft(1, () => 'Monday'), title: 'Knee' }
    assert.deepEqual(problemsOf(empty, FREE), {})
    assert.deepEqual(Object.keys(problemsOf(empty, { ...FREE, isGiven: true })), ['sessions.0.exercises'])
    assert.deepEqual(Object.keys(problemsOf({ ...empty, sessions: [] }, { ...FREE, isGiven: true })), ['sessions'])
  })

  test('a refused field is marked where it was moved to, and no longer once it was changed', () => {
    const sent = draftWith()
    sent.sessions[0]?.exercises.push(newExercise({ id: 'plank', kind: 'static' }, 'Plank'))
    const refused = ['sessions.0.exercises.0.sets', 'sessions.0.exercises.0.reps', 'sessions.0.exercises.0.id']
    const [session] = sent.sessions
    const [first] = session?.exercises ?? []
    assert.ok(session && first)
    const turned = moved(session.exercises, 0, 1)
    const now = { ...sent, sessions: [{ ...session, exercises: turned }] }
    assert.deepEqual(locate(refused, sent, now), {
      shown: new Map([
        ['sessions.0.exercises.1.sets', 'sessions.0.exercises.0.sets'],
        ['sessions.0.exercises.1.reps', 'sessions.0.exercises.0.reps'],
      ]),
      elsewhere: ['sessions.0.exercises.0.id'],
    })
    const changed = turned.map((one) => (one === first ? { ...one, sets: '4' } : one))
    const later = locate(refused, sent, { ...sent, sessions: [{ ...session, exercises: changed }] })
    assert.deepEqual([...later.shown.keys()], ['sessions.0.exercises.1.reps'])
    assert.equal(locate(refused, sent, { ...sent, sessions: [] }).shown.size, 0)
  })
})
