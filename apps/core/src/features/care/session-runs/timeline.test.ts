import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, UNKNOWN } from '../treatment-plans/plans.testing.ts'
import { type Patient, runsOf, type TestRuns } from './runs.testing.ts'
import { telemetryOf } from './telemetry.testing.ts'

describe('the timeline of a session run', () => {
  let core: TestCore
  let runs: TestRuns
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    runs = runsOf(core)
    clinic = await core.organization()
  })
  after(() => core.close())

  const timeline = (runId: string, as: Person = clinic.admin) => core.get(`/v1/session-runs/${runId}/timeline`, { as })

  async function storeEvents(runId: string, first: string | undefined, start: number): Promise<void> {
    const event = (name: string, ms: number, data?: object) => ({
      event: name,
      session_id: runId,
      media_id: first,
      media_type: 'exercise',
      timestamp: new Date(start + ms).toISOString(),
      data,
    })
    const events = [
      event('video_paused', 9_000, { position_seconds: 8.5, reason: 'user' }),
      event('session_start', 0),
      event('video_played', 500, { position_seconds: 0 }),
    ]
    await core.database.query('update run_finalisations set events = $2 where run_id = $1', [
      runId,
      JSON.stringify(events),
    ])
  }

  async function recorded(): Promise<{ patient: Patient; runId: string; start: number }> {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    const [run] = await core.database.query<{ started_at: Date }>('select started_at from session_runs where id = $1', [
      runId,
    ])
    const start = run?.started_at.getTime() ?? 0
    const [session_exercise_id] = patient.exercises
    const felt = await runs.pain(patient, runId, {
      severity: 6,
      session_exercise_id,
      occurred_at: new Date(start).toISOString(),
    })
    assert.equal(felt.status, 201, felt.text)
    await runs.event(patient, runId, { type: 'completed' })
    await runs.end(patient, runId)
    await telemetryOf(core).write(patient, runId)
    await storeEvents(runId, session_exercise_id, start - 2_000)
    return { patient, runId, start }
  }

  test('playback, exercise events, pain and repetitions share the clock that starts with session_start', async () => {
    const { patient, runId, start } = await recorded()
    const answer = await timeline(runId)
    assert.equal(answer.status, 200, answer.text)
    const { data } = answer.body
    assert.deepEqual(
      [data.session_start_at, data.session_start_source, data.media_events_available],
      [new Date(start - 2_000).toISOString(), 'session_start', true],
    )
    assert.deepEqual(
      data.media_events.map((one: Json) => [one.event, one.at_ms, one.position_seconds]),
      [
        ['session_start', 0, null],
        ['video_played', 500, 0],
        ['video_paused', 9_000, 8.5],
      ],
    )
    const [pain] = data.pain_reports
    assert.ok(Math.abs(pain.at_ms - 2_000) <= 1 && pain.severity === 6, JSON.stringify(pain))
    assert.ok(Date.parse(pain.occurred_at) <= Date.parse(pain.created_at))
    assert.deepEqual(
      data.exercise_events.map((one: Json) => [one.type, one.at_ms > 2_000]),
      [
        ['completed', true],
        ['abandoned', true],
      ],
    )
    const [first, second] = data.exercises
    assert.deepEqual([first.session_exercise_id, first.exercise_name], [patient.exercises[0], 'Squat'])
    assert.deepEqual([first.video_url, first.repetitions[0].start_ms], ['https://video.example/x.m3u8', 1000])
    assert.deepEqual([second.repetitions, second.from_ms], [[], null])
    assert.ok((await runs.audited(runId)).includes('session_runs.read'))
  })

  test('without media events the clock starts with the first event known; without telemetry, with the run', async () => {
    const { runId } = await recorded()
    await core.database.query('update run_finalisations set events = null where run_id = $1', [runId])
    await core.database.query(
      `update media_item_metrics i set started_at = s.started_at + interval '250 milliseconds'
       from media_session_metrics s where s.run_id = i.run_id and i.run_id = $1`,
      [runId],
    )
    const { data } = (await timeline(runId)).body
    assert.deepEqual([data.session_start_source, data.media_events_available], ['first_event', false])
    assert.equal(data.exercises[0].from_ms, 250)
    const patient = await runs.patient(clinic)
    const open = await runs.started(patient)
    await runs.pain(patient, open, { severity: 5 })
    const fresh = (await timeline(open)).body.data
    assert.deepEqual(
      [fresh.session_start_source, fresh.media_events, fresh.replay_available],
      ['run_started', [], false],
    )
    const [{ at_ms }] = fresh.pain_reports
    assert.ok(Number.isInteger(at_ms) && at_ms >= 0, String(at_ms))
  })

  test('the time of pain stays between the start of the run and now; without one it is the time of arrival', async () => {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    for (const occurred_at of ['2001-01-01T00:00:00Z', '2999-01-01T00:00:00Z', undefined]) {
      const { status, body } = await runs.pain(patient, runId, { occurred_at })
      assert.equal(status, 201)
      const [run] = await core.database.query<{ started_at: Date }>(
        'select started_at from session_runs where id = $1',
        [runId],
      )
      const time = Date.parse(body.data.occurred_at)
      assert.ok(time >= (run?.started_at.getTime() ?? Number.NaN) && time <= Date.parse(body.data.created_at) + 1)
    }
    assert.equal((await runs.pain(patient, runId, { occurred_at: 'yesterday' })).status, 422)
  })

  test('only staff of the clinic with the permission read it', async () => {
    const { patient, runId } = await recorded()
    assert.deepEqual(codeOf(await timeline(runId, (await core.organization()).admin)), [404, 'session_run_not_found'])
    assert.deepEqual(codeOf(await timeline(UNKNOWN)), [404, 'session_run_not_found'])
    assert.equal((await timeline(runId, patient.person)).status, 403)
    assert.equal((await timeline(runId, await core.memberWith(clinic, ['patients.view_org']))).status, 403)
  })
})
