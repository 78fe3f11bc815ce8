import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, UNKNOWN } from '../treatment-plans/plans.testing.ts'
import { type Patient, runsOf, type TestRuns } from './runs.testing.ts'
import { telemetryOf } from './telemetry.testing.ts'

const VIEW = 'session_runs.view_org'

describe('readers of session runs', () => {
  let core: TestCore
  let runs: TestRuns
  let telemetry: ReturnType<typeof telemetryOf>
  let clinic: TestOrganization
  let specialist: Person
  before(async () => {
    core = await sharedCore()
    runs = runsOf(core)
    telemetry = telemetryOf(core)
    clinic = await core.organization()
    specialist = await core.member(clinic, 'specialist')
  })
  after(() => core.close())

  const mine = (of: Patient, query = '') => core.get(`/v1/me/session-runs${query}`, { as: of.person })
  const ofPatient = (id: string, as: Person, query = '') => core.get(`/v1/patients/${id}/session-runs${query}`, { as })
  const analytics = (id: string, as = specialist) => core.get(`/v1/session-runs/${id}/analytics`, { as })
  const replay = (id: string, as = specialist) => core.get(`/v1/session-runs/${id}/replay`, { as })
  const fetched = async (url: string) => (await core.get(url.replace(core.config.publicUrl, ''))).text
  const idsOf = ({ body }: Json) => body.data.map((run: Json) => run.id)

  /** Everything that is in a reader's answer about a measured run. */
  async function measured(complete = true): Promise<{ patient: Patient; runId: string }> {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    const data = { sets_completed: 3, repetitions_completed: 8, repetitions_tapped: 6, duration_seconds: 0 }
    await runs.event(patient, runId, { type: 'completed', data })
    await runs.pain(patient, runId, { severity: 6, session_exercise_id: patient.exercises[0], note: 'Left knee' })
    await runs.feedback(patient, runId, { comment: 'Hard' })
    await telemetry.write(patient, runId, { complete })
    return { patient, runId }
  }

  test('a patient reads their runs with what was measured and played, newest first', async () => {
    const { patient, runId } = await measured()
    const second = await runs.started(patient)
    const answer = await mine(patient)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(idsOf(answer), [second, runId])
    const [open, over] = answer.body.data
    assert.deepEqual([open.pose, open.media, open.feedback], [null, null, null])
    assert.deepEqual(open.exercises, { total: 2, completed: 0, skipped: 0, abandoned: 0 })
    assert.deepEqual(over.organization, { id: clinic.id, name: 'Clinica Test', slug: clinic.slug })
    assert.deepEqual(
      [over.treatment_plan.id, over.session.title, over.status],
      [patient.plan_id, 'Monday', 'ended_explicit'],
    )
    assert.deepEqual(over.exercises, { total: 2, completed: 1, skipped: 0, abandoned: 1 })
    assert.deepEqual([over.repetitions, over.active_seconds], [{ measured: 2, tapped: 6 }, 0])
    assert.deepEqual(over.pain, { reports: 1, max_severity: 6 })
    assert.equal(over.feedback.comment, 'Hard')
    assert.deepEqual(over.pose, {
      exercises_measured: 1,
      exercises_not_measured: 1,
      repetitions: 2,
      repetitions_to_target: 1,
      not_visible_ms: 4000,
      range_mean_degrees: 85,
      confidence: 0.9,
    })
    assert.deepEqual([over.media.is_complete, over.media.watch_seconds, over.media.rebuffer_pct], [true, 512.4, 1.5])
    assert.equal(answer.body.pagination.total, 2)
  })

  test('the list filters, sorts and pages, and is right about the total past the end', async () => {
    const patient = await runs.patient(clinic)
    const ids: string[] = []
    for (let round = 0; round < 3; round += 1) ids.push(await runs.done(patient))
    const open = await runs.started(patient)
    assert.deepEqual(idsOf(await mine(patient, '?status=in_progress')), [open])
    assert.deepEqual(idsOf(await mine(patient, '?sort=started_at&limit=2')), ids.slice(0, 2))
    const past = await mine(patient, '?page=9&limit=2')
    assert.deepEqual([past.body.data, past.body.pagination], [[], { page: 9, limit: 2, total: 4 }])
    assert.equal((await mine(patient, `?treatment_plan_id=${UNKNOWN}`)).body.pagination.total, 0)
    assert.equal((await mine(patient, '?started_at_after=2999-01-01')).body.pagination.total, 0)
    assert.equal((await mine(patient, '?sort=pain')).status, 422)
  })

  test('a patient of two clinics reads the runs of both, and of nobody else', async () => {
    const second = await core.organization()
    const person = await core.signIn()
    const here = await runs.patient(clinic, { person })
    const there = await runs.patient(second, { person })
    await runs.done(await runs.patient(clinic))
    const both: string[] = []
    for (const patient of [here, there]) {
      const runId = await runs.started(patient)
      await runs.pain(patient, runId, { severity: 2 })
      await runs.feedback(patient, runId, { comment: 'Easy' })
      await telemetry.write(patient, runId)
      both.push(runId)
    }
    for (const at of [clinic, second]) {
      const answer = await core.get('/v1/me/session-runs', { as: person, headers: { 'x-organization-id': at.id } })
      assert.deepEqual(idsOf(answer), both.toReversed())
      for (const run of answer.body.data) {
        assert.deepEqual([run.pain.reports, run.feedback.comment], [1, 'Easy'])
        assert.ok(run.pose && run.media, 'measurements at each clinic')
      }
    }
    assert.equal((await core.get('/v1/me/session-runs', { as: specialist })).status, 403)
  })

  test('staff read the runs of one patient; each access is in the audit log and the patient’s access log', async () => {
    const { patient, runId } = await measured()
    await runs.done(await runs.patient(clinic))
    const answer = await ofPatient(patient.id, specialist)
    assert.deepEqual([answer.status, idsOf(answer)], [200, [runId]])
    assert.equal('organization' in answer.body.data[0], false)
    const [entry] = await core.database.query(
      `select crud, patient_profile_id, target_id from audit_log where action = 'session_runs.list' and target_id = $1`,
      [patient.id],
    )
    assert.deepEqual(entry, { crud: 'R', patient_profile_id: patient.profile_id, target_id: patient.id })
    const log = await core.get('/v1/me/access-log', { as: patient.person })
    assert.ok(log.text.includes('The list of your exercise sessions was viewed.'), log.text)
  })

  test('analytics of a run: each exercise with its events, what was measured or why not, and how it played', async () => {
    const { patient, runId } = await measured()
    const answer = await analytics(runId)
    assert.equal(answer.status, 200, answer.text)
    const { data } = answer.body
    assert.deepEqual(data.patient, { id: patient.id, name: 'Maria Stan' })
    assert.deepEqual([data.incomplete, data.replay_available, data.status], [false, false, 'ended_explicit'])
    assert.deepEqual([data.pain_reports[0].band, data.pain_reports[0].note], ['moderate', 'Left knee'])
    const [first, second] = data.exercise_results
    assert.deepEqual([first.session_exercise_id, second.session_exercise_id], patient.exercises)
    assert.deepEqual([first.exercise_name, first.outcome, second.outcome], ['Squat', 'completed', 'abandoned'])
    assert.deepEqual([first.repetitions_tapped, second.repetitions_tapped], [6, null])
    assert.deepEqual(
      first.events.map((event: Json) => [event.type, event.data.sets_completed]),
      [['completed', 3]],
    )
    assert.equal(second.events[0].client_event_id, null, 'written by the platform')
    assert.deepEqual([first.pose.measured, first.pose.reason, first.pose.repetitions], [true, null, 2])
    assert.deepEqual([first.pose.repetitions_to_target, first.pose.not_visible_ms], [1, 4000])
    assert.deepEqual(
      first.repetitions.map((one: Json) => one.reached_target),
      [false, true],
    )
    assert.deepEqual([second.pose.measured, second.pose.reason, second.pose.repetitions], [false, 'not_visible', null])
    assert.deepEqual(
      first.repetitions.map((one: Json) => [one.number, one.range_degrees, one.feedback]),
      [
        [1, 85, ['deeper']],
        [2, 85, ['deeper']],
      ],
    )
    assert.deepEqual([second.repetitions, second.media], [[], null])
    assert.deepEqual([first.media.watched_pct, first.media.startup_ms], [75, 640])
    assert.ok((await runs.audited(runId)).includes('session_runs.read'))
  })

  test('where nothing was measured there is no number of repetitions', async () => {
    const { patient, runId } = await measured()
    await core.database.query(
      `update pose_session_metrics set measured = false, reason = 'low_visibility', repetitions = null,
         range_min_degrees = null, range_max_degrees = null, range_mean_degrees = null where run_id = $1`,
      [runId],
    )
    const { pose } = (await mine(patient)).body.data[0]
    assert.deepEqual([pose.exercises_measured, pose.exercises_not_measured, pose.repetitions], [0, 2, null])
    assert.equal((await analytics(runId)).body.data.pose.repetitions, null)
  })

  test('a run with missing telemetry is flagged; the flag is null until the telemetry is written', async () => {
    const { runId } = await measured(false)
    assert.equal((await analytics(runId)).body.data.incomplete, true)
    const open = await runs.started(await runs.patient(clinic))
    assert.equal((await analytics(open)).body.data.incomplete, null)
  })

  test('a replay is a short-lived signed URL of its newest version, audited; 404 until there is one', async () => {
    const { patient, runId } = await measured()
    assert.deepEqual(codeOf(await replay(runId)), [404, 'replay_not_found'])
    await telemetry.replay(patient, runId, 1)
    const first = await replay(runId)
    assert.equal(first.status, 200, first.text)
    assert.equal(await fetched(first.body.data.url), 'frames of version 1')
    const left = Date.parse(first.body.data.expires_at) - Date.now()
    assert.ok(left > 0 && left <= 300_000)
    await core.database.query('update replay_blobs set superseded_at = now() where run_id = $1', [runId])
    await telemetry.replay(patient, runId, 2)
    const { url, frame_count, batch_count } = (await replay(runId)).body.data
    assert.equal(await fetched(url), 'frames of version 2')
    assert.deepEqual([frame_count, batch_count], [300, 10])
    assert.equal((await runs.audited(runId)).filter((action) => action === 'session_runs.read_replay').length, 2)
    assert.equal((await analytics(runId)).body.data.replay_available, true)
    assert.ok(!first.text.includes('object_key'))
  })

  test('the routes refuse callers without the permission, of another clinic, and the patient', async () => {
    const { patient, runId } = await measured()
    await telemetry.replay(patient, runId)
    const without = await core.memberWith(clinic, ['patients.view_org', 'stats.view_org'])
    const blind = await core.memberWith(clinic, [VIEW])
    const elsewhere = (await core.organization()).admin
    for (const [read, notFound] of [
      [(as: Person) => ofPatient(patient.id, as), 'patient_not_found'],
      [(as: Person) => analytics(runId, as), 'session_run_not_found'],
      [(as: Person) => replay(runId, as), 'session_run_not_found'],
    ] as const) {
      const refused = await read(without)
      assert.deepEqual([...codeOf(refused), refused.body.error.required], [403, 'forbidden', VIEW])
      assert.equal((await read(blind)).body.error.required, 'patients.view_org')
      assert.deepEqual(codeOf(await read(elsewhere)), [404, notFound])
      assert.equal((await read(patient.person)).status, 403)
      assert.equal((await read(await core.superadmin())).body.error.code, 'break_glass_required')
    }
    for (const answer of [await analytics(UNKNOWN), await replay(UNKNOWN)])
      assert.deepEqual(codeOf(answer), [404, 'session_run_not_found'])
    assert.deepEqual(codeOf(await ofPatient(UNKNOWN, specialist)), [404, 'patient_not_found'])
  })

  test('a deleted patient’s runs need data.view_deleted', async () => {
    const { patient, runId } = await measured()
    assert.equal((await core.delete(`/v1/patients/${patient.id}`, { as: clinic.admin })).status, 204)
    assert.deepEqual(codeOf(await analytics(runId)), [404, 'session_run_not_found'])
    const keeper = await core.memberWith(clinic, [VIEW, 'patients.view_org', 'data.view_deleted'])
    assert.equal((await analytics(runId, keeper)).status, 200)
    assert.deepEqual(idsOf(await mine(patient)), [])
  })
})
