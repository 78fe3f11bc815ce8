import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseRunTokenKeys, verifyRunToken } from '@tendon/run-token'
import { type Answer, type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, sentBack, session, UNKNOWN } from '../treatment-plans/plans.testing.ts'
import { type Patient, runsOf, type TestRuns } from './runs.testing.ts'

const NINETY_MINUTES_MS = 90 * 60 * 1000

describe('session runs', () => {
  let core: TestCore
  let runs: TestRuns
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore({ env: { TELEMETRY_URL: 'https://telemetry.example' } })
    runs = runsOf(core)
    clinic = await core.organization()
  })
  after(() => core.close())

  const at = ({ id }: { id: string }) => ({ 'x-organization-id': id })
  const payload = (of: Patient, runId: string) => core.get(`/v1/session-runs/${runId}/payload`, { as: of.person })
  const claims = (token: string) =>
    verifyRunToken(parseRunTokenKeys(core.config.RUN_TOKEN_KEYS), token, core.services.now())
  const manifestOf = async (runId: string): Promise<Json> => {
    const [row] = await core.database.query<{ items: Json }>('select items from run_manifests where run_id = $1', [
      runId,
    ])
    return row?.items
  }
  const countRuns = async (of: Patient) =>
    (await core.database.query('select 1 from session_runs where plan_session_id = $1', [of.plan_session_id])).length

  test('the manifest of a run carries the telemetry quota of the plan', async () => {
    const { body } = await runs.start(await runs.patient(clinic))
    const [quota] = await core.database.query(
      'select pose_per_second, media_per_second from run_manifests where run_id = $1',
      [body.run_id],
    )
    assert.deepEqual(quota, { pose_per_second: 100, media_per_second: 50 })
  })

  test('starting returns a run and a token for 90 minutes, in the specified shape', async () => {
    const patient = await runs.patient(clinic)
    const before = Date.now()
    const answer = await runs.start(patient)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(Object.keys(answer.body), ['run_id', 'telemetry_token', 'telemetry_token_expires_at'])
    const { run_id, telemetry_token, telemetry_token_expires_at } = answer.body
    const token = claims(telemetry_token)
    assert.deepEqual(
      { ...token, expiresAt: undefined },
      {
        runId: run_id,
        organizationId: clinic.id,
        patientId: patient.person.id,
        pose: true,
        expiresAt: undefined,
      },
    )
    assert.equal(new Date(token?.expiresAt ?? 0).toISOString(), telemetry_token_expires_at)
    const issued = Date.parse(telemetry_token_expires_at) - NINETY_MINUTES_MS
    assert.ok(issued > before - 1_000 && issued <= Date.now(), 'in whole seconds')
    assert.deepEqual(await runs.audited(run_id), ['session_runs.start'])
    const [event, ...more] = await runs.published(run_id)
    assert.equal(more.length, 0)
    assert.deepEqual(event, {
      type: 'session_run.started',
      payload: {
        session_run_id: run_id,
        patient_id: patient.id,
        patient_profile_id: patient.profile_id,
        treatment_plan_id: patient.plan_id,
        plan_session_id: patient.plan_session_id,
      },
    })
  })

  test('the pose claim is the biometric consent at the time the token is issued', async () => {
    const patient = await runs.patient(clinic, { consents: ['telerehab'] })
    const first = await runs.start(patient)
    assert.equal(claims(first.body.telemetry_token)?.pose, false)
    await runs.consent(patient, clinic, 'biometric_capture')
    assert.equal(claims((await runs.start(patient)).body.telemetry_token)?.pose, true)
    assert.equal(claims((await payload(patient, first.body.run_id)).body.data.telemetry_token)?.pose, true)
    await runs.withdraw(patient, 'biometric_capture')
    assert.equal(claims((await payload(patient, first.body.run_id)).body.data.telemetry_token)?.pose, false)
  })

  test('the manifest freezes the pose configuration of each exercise', async () => {
    const [squat, lunge, plank] = [
      await runs.exercise(null),
      await runs.exercise(clinic, 'Lunge'),
      await runs.exercise(null, 'Plank'),
    ]
    await runs.poseConfig(squat, 1, { min_visibility: 0.6 })
    await runs.poseConfig(squat, 2, { min_visibility: 0.7 })
    await runs.poseConfig(plank, 1)
    await core.database.query('update exercise_pose_configs set tracking_enabled = false where exercise_id = $1', [
      plank,
    ])
    const patient = await runs.patient(clinic, { exercises: [squat, lunge, plank] })
    await core.database.query(`update session_exercises set side = 'left' where id = $1`, [patient.exercises[0]])
    const runId = await runs.started(patient)
    await runs.poseConfig(squat, 3, { min_visibility: 0.9 })
    const items = await manifestOf(runId)
    assert.deepEqual(
      items.map((item: Json) => [item.media_id, item.exercise_id, item.pose_config?.min_visibility ?? null]),
      [
        [patient.exercises[0], squat, 0.7],
        [patient.exercises[1], lunge, null],
        [patient.exercises[2], plank, null],
      ],
    )
    assert.equal(items[0].pose_config.engine_code, 'blazepose-33')
    assert.equal(items[0].pose_config.side, 'left', 'as the plan asks')
    assert.equal(items[0].pose_config_version, 2)
    const { exercises } = (await payload(patient, runId)).body.data
    assert.deepEqual(
      exercises.map((one: Json) => [one.tracking_enabled, one.pose_config?.min_visibility ?? null]),
      [
        [true, 0.7],
        [false, null],
        [false, null],
      ],
    )
  })

  test('a run in progress is resumed with a new token; after its end a new run starts', async () => {
    const patient = await runs.patient(clinic)
    const first = await runs.started(patient)
    assert.equal(await runs.started(patient), first)
    assert.deepEqual(await runs.audited(first), ['session_runs.start'])
    await runs.end(patient, first)
    const second = await runs.started(patient)
    assert.notEqual(second, first)
    assert.equal(await countRuns(patient), 2)
  })

  test('twenty parallel starts create one run, with one manifest, one event and one audit row', async () => {
    const patient = await runs.patient(clinic)
    const answers = await Promise.all(Array.from({ length: 20 }, () => runs.start(patient)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    const ids = [...new Set(answers.map(({ body }) => body.run_id))]
    assert.equal(ids.length, 1)
    assert.equal(await countRuns(patient), 1)
    assert.deepEqual(await runs.audited(ids[0]), ['session_runs.start'])
    assert.equal((await runs.published(ids[0])).length, 1)
  })

  test('starting and ending at once leaves at most one run in progress, whatever the order', async () => {
    const patient = await runs.patient(clinic)
    let runId = await runs.started(patient)
    for (let round = 0; round < 3; round += 1) {
      const [answer] = await Promise.all([runs.start(patient), runs.end(patient, runId), runs.start(patient)])
      assert.equal(answer.status, 200, answer.text)
      runId = await runs.started(patient)
    }
    const open = await core.database.query(
      `select 1 from session_runs where plan_session_id = $1 and status = 'in_progress'`,
      [patient.plan_session_id],
    )
    assert.equal(open.length, 1)
  })

  test('a repeated Idempotency-Key returns the first answer with its token', async () => {
    const patient = await runs.patient(clinic)
    const key = { 'idempotency-key': 'start-1' }
    const first = await runs.start(patient, key)
    const again = await runs.start(patient, key)
    assert.deepEqual([again.status, again.text], [200, first.text])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
  })

  test('unknown sessions, those of others, of drafts, of programs and removed ones are not found (404)', async () => {
    const patient = await runs.patient(clinic)
    const other = await runs.patient(clinic)
    const elsewhere = await runs.patient(await core.organization())
    const draft = await runs.written(clinic, patient.id, [await runs.exercise(null)])
    const start = (plan_session_id: string) =>
      core.post('/v1/session-runs', { as: patient.person, body: { plan_session_id } })
    for (const id of [UNKNOWN, other.plan_session_id, elsewhere.plan_session_id, draft.sessions[0].id])
      assert.deepEqual(codeOf(await start(id)), [404, 'plan_session_not_found'])
    const plan = (await runs.read(clinic.admin, patient.plan_id)).body.data
    const sessions = [session([await runs.exercise(null)], { title: 'Instead' })]
    assert.equal(
      (await runs.replace(clinic.admin, plan.id, { ...sentBack(plan), sessions })).status,
      200,
      'the session goes',
    )
    assert.deepEqual(codeOf(await start(patient.plan_session_id)), [404, 'plan_session_not_found'])
    assert.deepEqual(codeOf(await core.post('/v1/session-runs', { as: patient.person, body: {} })), [
      422,
      'validation_failed',
    ])
  })

  test('staff who are patients too start their own sessions, not those of their patients', async () => {
    const admin = await runs.patient(clinic, { person: clinic.admin })
    const other = await runs.patient(clinic)
    assert.equal((await runs.start(admin)).status, 200)
    const answer = await runs.start({ ...other, person: clinic.admin })
    assert.deepEqual(codeOf(answer), [404, 'plan_session_not_found'])
    const runId = await runs.started(other)
    for (const body of [await runs.end({ ...other, person: clinic.admin }, runId)])
      assert.deepEqual(codeOf(body), [404, 'session_run_not_found'])
    assert.equal((await core.post('/v1/session-runs', { as: await core.member(clinic, 'specialist') })).status, 403)
  })

  test('no session of an ended plan can start (409), but a run in progress continues and can be resumed', async () => {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    await runs.become(clinic.admin, patient.plan_id, 'completed')
    assert.equal((await runs.event(patient, runId, { type: 'completed' })).status, 200)
    assert.equal((await payload(patient, runId)).status, 200)
    assert.equal(await runs.started(patient), runId)
    await runs.become(clinic.admin, patient.plan_id, 'archived')
    assert.equal((await payload(patient, runId)).status, 200)
    assert.equal(await runs.started(patient), runId)
    await runs.end(patient, runId)
    assert.deepEqual(codeOf(await runs.start(patient)), [409, 'plan_not_active'])
  })

  test('a session removed from its plan can be resumed until its run ends; then it is not found (404)', async () => {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    const plan = sentBack((await runs.read(clinic.admin, patient.plan_id)).body.data)
    const exercises = [{ exercise_id: await runs.exercise(null, 'New') }]
    const sessions = [{ title: 'In its place', exercises }]
    assert.equal((await runs.replace(clinic.admin, patient.plan_id, { ...plan, sessions })).status, 200)
    assert.equal(await runs.started(patient), runId)
    await runs.end(patient, runId)
    assert.deepEqual(codeOf(await runs.start(patient)), [404, 'plan_session_not_found'])
  })

  test('a start more than two hours after the last event creates a new run, also when the old one is not closed yet', async () => {
    const patient = await runs.patient(clinic)
    const left = await runs.started(patient)
    await runs.silent(left)
    const [one, other] = await Promise.all([runs.started(patient), runs.started(patient)])
    assert.equal(one, other)
    assert.notEqual(one, left)
    const { status, events } = await runs.stored(left)
    assert.deepEqual([status, events.length], ['ended_auto', patient.exercises.length])
    assert.equal((await runs.event(patient, one, { type: 'completed' })).status, 200)
  })

  test('a start and the end of the plan at once are serialized', async () => {
    for (let round = 0; round < 3; round += 1) {
      const patient = await runs.patient(clinic)
      const [started, ended] = await Promise.all([
        runs.start(patient),
        runs.become(clinic.admin, patient.plan_id, 'completed'),
      ])
      assert.equal(ended.status, 200)
      assert.ok(started.status === 200 || started.body.error.code === 'plan_not_active', started.text)
      assert.equal(await countRuns(patient), started.status === 200 ? 1 : 0)
    }
  })

  test('without the telerehab consent at the clinic of the plan no run starts (403)', async () => {
    const patient = await runs.patient(clinic, { consents: [] })
    const refused = (answer: Answer) => [...codeOf(answer), answer.body.error?.missing_purpose]
    assert.deepEqual(refused(await runs.start(patient)), [403, 'consent_required', 'telerehab'])
    assert.equal(await countRuns(patient), 0)
    await runs.consent(patient, clinic, 'telerehab')
    const runId = await runs.started(patient)
    await runs.withdraw(patient, 'telerehab')
    assert.deepEqual(refused(await runs.start(patient)), [403, 'consent_required', 'telerehab'])
    const { data } = (await payload(patient, runId)).body
    assert.deepEqual([data.status, data.telemetry_token], ['in_progress', null])
    assert.equal((await runs.end(patient, runId)).status, 200)
  })

  test('consent, rows and audit log are those of the plan’s clinic, not of the current one', async () => {
    const second = await core.organization()
    const person = await core.signIn()
    const here = await runs.patient(clinic, { person, consents: [] })
    const there = await runs.patient(second, { person })
    const started = await runs.start(there, at(clinic))
    assert.equal(started.status, 200, started.text)
    const { run_id, telemetry_token } = started.body
    assert.equal(claims(telemetry_token)?.organizationId, second.id)
    assert.deepEqual(codeOf(await runs.start(here, at(second))), [403, 'consent_required'])
    const body = { client_event_id: UNKNOWN, session_exercise_id: there.exercises[0], type: 'completed' }
    const path = `/v1/session-runs/${run_id}`
    const recorded = await core.post(`${path}/exercise-event`, { as: person, body, headers: at(clinic) })
    assert.equal(recorded.status, 200, recorded.text)
    const read = await core.get(`${path}/payload`, { as: person, headers: at(clinic) })
    assert.deepEqual(read.body.data.terminated_session_exercise_ids, [there.exercises[0]])
    const places = await core.database.query('select distinct organization_id from audit_log where target_id = $1', [
      run_id,
    ])
    assert.deepEqual(places, [{ organization_id: second.id }])
  })

  test('the audit log names a patient who is also invited as staff', async () => {
    const patient = await runs.patient(clinic)
    const elsewhere = await core.organization()
    await runs.patient(elsewhere, { person: patient.person })
    const invitation = { email: patient.person.email, role_id: clinic.roles.specialist }
    const invited = await core.post(`/v1/organizations/${clinic.id}/members`, { as: clinic.admin, body: invitation })
    assert.equal(invited.status, 201, invited.text)
    const started = await runs.start(patient, { 'x-organization-id': elsewhere.id })
    assert.equal(started.status, 200, started.text)
    const path = `/v1/audit-logs?action=session_runs.start&target_id=${started.body.run_id}`
    const { body } = await core.get(path, { as: clinic.admin })
    assert.match(body.data[0].actor.name, /^Person/)
  })

  test('at a clinic whose texts are not accepted the answer is 412, and 404 from another clinic', async () => {
    const second = await core.organization()
    const person = await core.signIn()
    await runs.patient(clinic, { person })
    const there = await runs.patient(second, { person })
    await core.publishNotice(second)
    assert.equal((await runs.start(there, at(second))).status, 412)
    assert.deepEqual(codeOf(await runs.start(there, at(clinic))), [404, 'plan_session_not_found'])
  })

  test('while processing is restricted no run starts or resumes (409), and no token is issued', async () => {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    await runs.restrict(patient)
    assert.deepEqual(codeOf(await runs.start(patient)), [409, 'processing_restricted'])
    assert.equal((await payload(patient, runId)).body.data.telemetry_token, null)
    await runs.end(patient, runId)
    assert.deepEqual(codeOf(await runs.start(patient)), [409, 'processing_restricted'])
  })

  test('the payload has everything a player needs, in the language of the patient', async () => {
    const squat = await runs.exercise(null, 'Squat', { translations: { ro: { name: 'Genuflexiune' } } })
    const person = await core.signIn()
    await core.patch('/v1/me', { as: person, body: { preferred_language: 'ro' } })
    const wanted = {
      exercise_id: squat,
      sets: 3,
      reps: 10,
      hold_seconds: 5,
      rest_seconds: 60,
      side: 'left',
      notes: 'Slow',
    }
    const patient = await runs.patient(clinic, { person, exercises: [wanted, await runs.exercise(null, 'Lunge')] })
    const runId = await runs.started(patient)
    const { status, body } = await payload(patient, runId)
    assert.equal(status, 200)
    const { exercises, session, treatment_plan, telemetry_url, terminated_session_exercise_ids, ...run } = body.data
    assert.deepEqual([run.run_id, run.status, run.ended_at], [runId, 'in_progress', null])
    assert.deepEqual(treatment_plan, { id: patient.plan_id, title: 'Knee' })
    assert.deepEqual(session, { id: patient.plan_session_id, title: 'Monday', notes: null })
    assert.equal(telemetry_url, 'https://telemetry.example')
    assert.deepEqual(terminated_session_exercise_ids, [])
    const [first, second] = exercises
    assert.deepEqual([first.name, second.name], ['Genuflexiune', 'Lunge'])
    assert.deepEqual([first.id, second.id], patient.exercises)
    const { sets, reps, hold_seconds, rest_seconds, side, notes } = first
    assert.deepEqual({ exercise_id: squat, sets, reps, hold_seconds, rest_seconds, side, notes }, wanted)
    assert.equal(first.instructions[0].content, 'Stați')
    assert.equal(first.video_url, 'https://video.example/x.m3u8')
  })

  test('the payload lists ended exercises, and contains a token only while the run is in progress', async () => {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    const [first] = patient.exercises
    await runs.event(patient, runId, { type: 'started' })
    await runs.event(patient, runId, { type: 'paused_for_pain' })
    assert.deepEqual((await payload(patient, runId)).body.data.terminated_session_exercise_ids, [])
    await runs.event(patient, runId, { type: 'skipped' })
    const { data } = (await payload(patient, runId)).body
    assert.deepEqual(data.terminated_session_exercise_ids, [first])
    assert.equal(claims(data.telemetry_token)?.runId, runId)
    await runs.end(patient, runId)
    const ended = (await payload(patient, runId)).body.data
    assert.deepEqual(ended.terminated_session_exercise_ids.toSorted(), patient.exercises.toSorted())
    assert.deepEqual([ended.telemetry_token, ended.telemetry_token_expires_at], [null, null])
  })

  test('a run keeps the exercises with which it started, also when the plan changes', async () => {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    const plan = (await runs.read(clinic.admin, patient.plan_id)).body.data
    const [kept] = sentBack(plan).sessions
    const sessions = [{ ...kept, exercises: [kept.exercises[1], { exercise_id: await runs.exercise(null, 'New') }] }]
    assert.equal((await runs.replace(clinic.admin, plan.id, { ...sentBack(plan), sessions })).status, 200)
    const { exercises } = (await payload(patient, runId)).body.data
    assert.deepEqual(
      exercises.map((one: Json) => one.id),
      patient.exercises,
    )
    assert.equal((await runs.event(patient, runId, { type: 'completed' })).status, 200)
    await runs.end(patient, runId)
    const next = (await payload(patient, await runs.started(patient))).body.data
    assert.deepEqual(
      next.exercises.map((one: Json) => one.name),
      ['Lunge', 'New'],
    )
  })

  test('a run keeps the prescriptions with which it started, also when the plan changes', async () => {
    const first = { sets: 1, reps: 2, hold_seconds: 3, rest_seconds: 4, side: 'left', notes: 'Slowly' }
    const patient = await runs.patient(clinic, {
      exercises: [{ exercise_id: await runs.exercise(null), ...first }],
    })
    const runId = await runs.started(patient)
    const plan = sentBack((await runs.read(clinic.admin, patient.plan_id)).body.data)
    const later = { sets: 4, reps: 5, hold_seconds: null, rest_seconds: 60, side: 'right', notes: null }
    const sessions = plan.sessions.map((session: Json) => ({
      ...session,
      exercises: session.exercises.map((exercise: Json) => ({ ...exercise, ...later })),
    }))
    assert.equal((await runs.replace(clinic.admin, patient.plan_id, { ...plan, sessions })).status, 200)
    const prescribed = ({ sets, reps, hold_seconds, rest_seconds, side, notes }: Json) => ({
      sets,
      reps,
      hold_seconds,
      rest_seconds,
      side,
      notes,
    })
    assert.deepEqual(prescribed((await payload(patient, runId)).body.data.exercises[0]), first)
    await runs.end(patient, runId)
    const { body } = await core.get(`/v1/session-runs/${runId}/analytics`, { as: clinic.admin })
    assert.deepEqual(prescribed(body.data.exercise_results[0]), first)
    const next = await payload(patient, await runs.started(patient))
    assert.deepEqual(prescribed(next.body.data.exercises[0]), later)
  })

  test('nobody else reads a payload (404); impersonation gets no token', async () => {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    const stranger = await runs.patient(clinic)
    assert.deepEqual(codeOf(await payload(stranger, runId)), [404, 'session_run_not_found'])
    assert.deepEqual(codeOf(await payload(patient, UNKNOWN)), [404, 'session_run_not_found'])
    const specialist = await core.member(clinic, 'specialist')
    assert.equal((await core.get(`/v1/session-runs/${runId}/payload`, { as: specialist })).status, 403)
    const given = await core.post(`/v1/patients/${patient.id}/impersonate`, {
      as: clinic.admin,
      body: { reason: 'They asked for help on the phone' },
    })
    assert.equal(given.status, 201, given.text)
    const seen = await core.get(`/v1/session-runs/${runId}/payload`, { as: { token: given.body.data.token } })
    assert.deepEqual([seen.status, seen.body.data?.telemetry_token], [200, null])
  })
})
