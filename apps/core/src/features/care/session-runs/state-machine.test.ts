import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { soakRuns } from '@tendon/testing'
import fc from 'fast-check'
import { type Answer, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { sessionRunJobs } from './jobs.ts'
import { type Patient, runsOf, type TestRuns, workerOf } from './runs.testing.ts'

const [, closeStale] = sessionRunJobs
const OUTCOMES = ['completed', 'skipped', 'abandoned']
const EXERCISES = 3

type Step =
  | { kind: 'event'; exercise: number; type: string; id: number }
  | { kind: 'pain'; exercise: number; action: string }
  | { kind: 'end'; termination: string }
  | { kind: 'feedback' }
  | { kind: 'silence' }
  | { kind: 'close' }

const exercise = fc.nat(EXERCISES - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      exercise,
      type: fc.constantFrom('started', 'paused_for_pain', ...OUTCOMES),
      id: fc.nat(5),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pain' as const),
      exercise,
      action: fc.constantFrom('continue', 'rest', 'skip_exercise', 'skip_exercise', 'end_session'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      termination: fc.constantFrom('ended_naturally', 'ended_naturally', 'ended_explicit'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'feedback' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'silence' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
)
/** Rounds one after the other; what is in one round happens at once. */
const story = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })

describe('the states of a run', () => {
  let core: TestCore
  let runs: TestRuns
  let clinic: TestOrganization
  let patient: Patient
  let worker: ReturnType<typeof workerOf>
  before(async () => {
    core = await sharedCore()
    runs = runsOf(core)
    clinic = await core.organization()
    const exercises = await Promise.all(['Squat', 'Lunge', 'Plank'].map((name) => runs.exercise(null, name)))
    patient = await runs.patient(clinic, { exercises })
    worker = workerOf(core)
  })
  after(async () => {
    await worker.close()
    await core.close()
  })

  async function perform(runId: string, ids: readonly string[], one: Step): Promise<Answer | undefined> {
    if (one.kind === 'silence') await runs.silent(runId)
    else if (one.kind === 'close') await worker.run(closeStale, { session_run_id: runId }, clinic.id)
    else if (one.kind === 'end') return runs.end(patient, runId, one.termination)
    else if (one.kind === 'feedback') return runs.feedback(patient, runId)
    else {
      const session_exercise_id = patient.exercises[one.exercise]
      if (one.kind === 'pain') return runs.pain(patient, runId, { action: one.action, session_exercise_id })
      return runs.event(patient, runId, { session_exercise_id, type: one.type, client_event_id: ids[one.id] })
    }
    return undefined
  }

  test('under any concurrent requests each exercise ends at most once, the run once, and nothing is open after its end', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.array(fc.uuid(), { minLength: 6, maxLength: 6 }), async (rounds, ids) => {
        const runId = await runs.started(patient)
        const seen = new Set<string>()
        for (const round of rounds) {
          const answers = await Promise.all(round.map((one) => perform(runId, ids, one)))
          for (const answer of answers)
            assert.ok(answer === undefined || [200, 201, 409].includes(answer.status), answer?.text)
          const { status } = await runs.stored(runId)
          if (seen.size > 0) assert.ok(seen.has(status), `the end changed to ${status}`)
          if (status !== 'in_progress') seen.add(status)
        }
        await check(runId)
        await runs.end(patient, runId)
        await check(runId)
      }),
      { numRuns: soakRuns(12) },
    )
  })

  async function check(runId: string): Promise<void> {
    const { status, ended_at, events } = await runs.stored(runId)
    const outcomes = events.filter(({ type }) => OUTCOMES.includes(type))
    const ended = status !== 'in_progress'
    assert.equal(ended_at !== null, ended)
    const exercises = outcomes.map(({ session_exercise_id }) => session_exercise_id)
    assert.equal(new Set(exercises).size, exercises.length, 'an exercise ends once')
    if (ended) assert.deepEqual(exercises.toSorted(), patient.exercises.toSorted(), 'every exercise has come to an end')
    const given = events.filter(({ client_event_id }) => client_event_id !== null)
    assert.equal(new Set(given.map(({ client_event_id }) => client_event_id)).size, given.length, 'no event twice')
    const synthesised = events.filter(({ type, client_event_id }) => type === 'abandoned' && client_event_id === null)
    if (!ended || status === 'ended_naturally') assert.equal(synthesised.length, 0, 'abandoned only when not natural')
    const told = (await runs.published(runId)).filter(({ type }) => type === 'session_run.ended')
    assert.deepEqual(
      told.map(({ payload }) => payload.status),
      ended ? [status] : [],
    )
    const trail = (await runs.audited(runId)).filter((action) => action === 'session_runs.end')
    assert.equal(trail.length, ended ? 1 : 0)
  }
})
