import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type Patient, runsOf, type TestRuns } from './runs.testing.ts'

describe('what a run knows of its ended exercises', () => {
  let core: TestCore
  let runs: TestRuns
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    runs = runsOf(core)
    clinic = await core.organization()
  })
  after(() => core.close())

  const three = async (): Promise<Patient> =>
    runs.patient(clinic, {
      exercises: [await runs.exercise(null), await runs.exercise(null, 'Lunge'), await runs.exercise(null, 'Plank')],
    })
  const payload = async (of: Patient, runId: string): Promise<Json> => {
    const { status, body, text } = await core.get(`/v1/session-runs/${runId}/payload`, { as: of.person })
    assert.equal(status, 200, text)
    return body.data
  }

  const startedMinutesAgo = async (of: Patient, minutes: number): Promise<string> => {
    const runId = await runs.started(of)
    await core.database.query(`update session_runs set started_at = now() - make_interval(mins => $2) where id = $1`, [
      runId,
      minutes,
    ])
    return runId
  }

  test('nobody exercises for longer than the run lasts, whatever is reported', async () => {
    const patient = await three()
    const data = { duration_seconds: 86_400 }
    const fresh = await runs.started(patient)
    await runs.event(patient, fresh, { type: 'completed', data })
    const { active_seconds, started_at } = await payload(patient, fresh)
    assert.ok(active_seconds >= 0 && active_seconds <= (Date.now() - Date.parse(started_at)) / 1000 + 1, active_seconds)
    await runs.end(patient, fresh)

    const other = await three()
    const [one, two] = other.exercises
    const long = await startedMinutesAgo(other, 10)
    await runs.event(other, long, { session_exercise_id: one, type: 'completed', data: { duration_seconds: 400 } })
    await runs.event(other, long, { session_exercise_id: two, type: 'completed', data: { duration_seconds: 500 } })
    await runs.end(other, long)
    const over = await payload(other, long)
    assert.equal(over.active_seconds, (Date.parse(over.ended_at) - Date.parse(over.started_at)) / 1000)
  })

  test('a run without events has none, no pain and no time of exercise', async () => {
    const patient = await three()
    const { ended_exercises, worst_pain, active_seconds } = await payload(patient, await runs.started(patient))
    assert.deepEqual(
      { ended_exercises, worst_pain, active_seconds },
      { ended_exercises: [], worst_pain: null, active_seconds: 0 },
    )
  })

  test('each has its outcome and its repetitions, and the seconds of exercise are added up', async () => {
    const patient = await three()
    const [first, second, third] = patient.exercises
    const runId = await startedMinutesAgo(patient, 10)
    const data = { sets_completed: 3, repetitions_completed: 30, duration_seconds: 95.5 }
    await runs.event(patient, runId, { session_exercise_id: first, type: 'completed', data })
    await runs.event(patient, runId, {
      session_exercise_id: second,
      type: 'skipped',
      data: { repetitions_completed: 4, duration_seconds: 12 },
    })
    const going = await payload(patient, runId)
    assert.deepEqual(going.ended_exercises, [
      { id: first, outcome: 'completed', repetitions: 30 },
      { id: second, outcome: 'skipped', repetitions: 4 },
    ])
    assert.equal(going.active_seconds, 107.5)
    await runs.end(patient, runId)
    const over = await payload(patient, runId)
    assert.deepEqual(over.ended_exercises.at(-1), { id: third, outcome: 'abandoned', repetitions: null })
    assert.equal(over.active_seconds, 107.5)
    assert.deepEqual(over.terminated_session_exercise_ids, patient.exercises)
  })

  test('a session that is ended after the first set has no completed exercise', async () => {
    const patient = await three()
    const runId = await runs.started(patient)
    await runs.event(patient, runId, { type: 'started' })
    await runs.end(patient, runId)
    const { ended_exercises, terminated_session_exercise_ids } = await payload(patient, runId)
    assert.deepEqual(
      ended_exercises.map(({ outcome }: Json) => outcome),
      ['abandoned', 'abandoned', 'abandoned'],
    )
    assert.equal(terminated_session_exercise_ids.length, 3)
  })

  test('the worst pain is the highest of the reports and of the feedback', async () => {
    const patient = await three()
    const runId = await runs.started(patient)
    await runs.pain(patient, runId, { severity: 0 })
    assert.equal((await payload(patient, runId)).worst_pain, 0)
    await runs.pain(patient, runId, { severity: 6 })
    await runs.pain(patient, runId, { severity: 2 })
    assert.equal((await payload(patient, runId)).worst_pain, 6)
    await runs.feedback(patient, runId, { pain: 8 })
    assert.equal((await payload(patient, runId)).worst_pain, 8)
  })
  test('whether feedback was given is known, also without pain reports', async () => {
    const patient = await three()
    const runId = await runs.started(patient)
    assert.equal((await payload(patient, runId)).feedback_given, false)
    await runs.feedback(patient, runId, { pain: 0 })
    const { feedback_given, worst_pain } = await payload(patient, runId)
    assert.deepEqual([feedback_given, worst_pain], [true, 0])
  })
})
