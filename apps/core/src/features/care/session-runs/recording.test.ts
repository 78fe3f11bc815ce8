import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, fieldsOf, UNKNOWN } from '../treatment-plans/plans.testing.ts'
import { type Patient, runsOf, type TestRuns } from './runs.testing.ts'

describe('what a patient records in a run', () => {
  let core: TestCore
  let runs: TestRuns
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    runs = runsOf(core)
    clinic = await core.organization()
  })
  after(() => core.close())

  async function running(): Promise<{ patient: Patient; runId: string; first: string; second: string }> {
    const patient = await runs.patient(clinic)
    const [first = '', second = ''] = patient.exercises
    return { patient, runId: await runs.started(patient), first, second }
  }
  const typesOf = async (runId: string) =>
    (await runs.stored(runId)).events.map(({ session_exercise_id, type }) => [session_exercise_id, type])
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)

  /** Inserts this many events of the last hour, the first of them this many minutes ago. */
  const fill = (
    table: 'session_run_events' | 'pain_reports',
    runId: string,
    of: Patient,
    count: number,
    minutes: number,
  ) =>
    core.database.query(
      `insert into ${table} (organization_id, session_run_id, patient_profile_id, session_exercise_id, client_event_id, created_at,
         ${table === 'pain_reports' ? 'severity, action' : 'type'})
       select $1, $2, $3, $4, gen_random_uuid(), now() - make_interval(mins => $6) + make_interval(secs => n),
         ${table === 'pain_reports' ? `1, 'rest'` : `'started'`} from generate_series(0, $5::integer - 1) n`,
      [clinic.id, runId, of.profile_id, of.exercises[0], count, minutes],
    )

  test('every type of event is recorded, with its data and its audit row', async () => {
    const { patient, runId, first, second } = await running()
    const data = { sets_completed: 3, repetitions_completed: 30, duration_seconds: 95.5 }
    for (const type of ['started', 'paused_for_pain', 'completed'])
      assert.equal((await runs.event(patient, runId, { type, data })).status, 200, type)
    await runs.event(patient, runId, { session_exercise_id: second, type: 'skipped' })
    assert.deepEqual(await typesOf(runId), [
      [first, 'started'],
      [first, 'paused_for_pain'],
      [first, 'completed'],
      [second, 'skipped'],
    ])
    const [row] = await core.database.query<{ data: Json }>(
      `select data from session_run_events where session_run_id = $1 and type = 'completed'`,
      [runId],
    )
    assert.deepEqual(row?.data, data)
    assert.equal((await runs.audited(runId)).filter((action) => action === 'session_runs.record_event').length, 4)
  })

  test('a repeat returns the first answer and changes nothing, also with other content and after the end', async () => {
    const { patient, runId, second } = await running()
    const client_event_id = randomUUID()
    const first = await runs.event(patient, runId, { client_event_id, type: 'completed' })
    for (const other of [
      { type: 'completed' },
      { type: 'skipped' },
      { session_exercise_id: second, type: 'started' },
    ]) {
      const again = await runs.event(patient, runId, { client_event_id, ...other })
      assert.deepEqual([again.status, again.text], [200, first.text])
    }
    await runs.end(patient, runId)
    assert.deepEqual((await runs.event(patient, runId, { client_event_id, type: 'completed' })).text, first.text)
    const mine = (await runs.stored(runId)).events.filter((event) => event.client_event_id === client_event_id)
    assert.equal(mine.length, 1)
    assert.equal((await runs.audited(runId)).filter((action) => action === 'session_runs.record_event').length, 1)
  })

  test('an exercise ends once: another end changes nothing and returns the first', async () => {
    const { patient, runId, first } = await running()
    const completed = await runs.event(patient, runId, { type: 'completed' })
    const skipped = await runs.event(patient, runId, { type: 'skipped' })
    assert.deepEqual([skipped.status, skipped.body], [200, completed.body])
    assert.deepEqual(await typesOf(runId), [[first, 'completed']])
  })

  test('twenty repeats at once are one event; ten different ends at once are one end', async () => {
    const { patient, runId, first, second } = await running()
    const client_event_id = randomUUID()
    const repeats = await Promise.all(
      Array.from({ length: 20 }, () => runs.event(patient, runId, { client_event_id, type: 'completed' })),
    )
    assert.equal(new Set(repeats.map(({ text }) => text)).size, 1)
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        runs.event(patient, runId, { session_exercise_id: second, type: index % 2 ? 'skipped' : 'completed' }),
      ),
    )
    assert.equal(new Set(ends.map(({ text }) => text)).size, 1)
    assert.deepEqual(
      (await typesOf(runId)).map(([exercise]) => exercise),
      [first, second],
    )
  })

  test('ids of events are unique per run: another run can use the same id', async () => {
    const { patient, runId } = await running()
    const other = await running()
    const client_event_id = randomUUID()
    const mine = await runs.event(patient, runId, { client_event_id, type: 'completed' })
    const theirs = await runs.event(other.patient, other.runId, { client_event_id, type: 'skipped' })
    assert.deepEqual([mine.body.data.type, theirs.body.data.type], ['completed', 'skipped'])
  })

  test('event times are clamped between the start of the run and now', async () => {
    const { patient, runId } = await running()
    const startedAt = (await core.get(`/v1/session-runs/${runId}/payload`, { as: patient.person })).body.data.started_at
    const occurred = async (occurred_at: string) =>
      (await runs.event(patient, runId, { occurred_at })).body.data.occurred_at
    for (const early of ['2001-01-01T00:00:00Z', '0000-01-01T00:00:00Z', `2001-01-01T00:00:00.${'1'.repeat(500)}Z`])
      assert.equal(await occurred(early), startedAt)
    for (const late of ['9999-12-31T23:59:60Z', '2999-01-01T00:00:00+23:00'])
      assert.ok(Date.parse(await occurred(late)) <= Date.now() + 1_000)
    assert.ok(Date.parse(await occurred('2999-01-01T00:00:00Z')) <= Date.now() + 1_000)
    const told = new Date().toISOString()
    assert.ok(Math.abs(Date.parse(await occurred(told)) - Date.parse(told)) < 1_000)
  })

  test('an exercise of another run and an unknown one get the same refusal (422)', async () => {
    const { patient, runId } = await running()
    const other = await running()
    const foreign = await runs.event(patient, runId, { session_exercise_id: other.first })
    const unknown = await runs.event(patient, runId, { session_exercise_id: UNKNOWN })
    assert.deepEqual(fieldsOf(foreign), [422, ['session_exercise_id']])
    assert.equal(foreign.text, unknown.text)
    assert.deepEqual(fieldsOf(await runs.pain(patient, runId, { session_exercise_id: other.first })), [
      422,
      ['session_exercise_id'],
    ])
    for (const [body, field] of [
      [{ type: 'finished' }, 'type'],
      [{ client_event_id: 'x' }, 'client_event_id'],
      [{ occurred_at: 'yesterday' }, 'occurred_at'],
      [{ data: { mood: 'good' } }, 'data.mood'],
      [{ data: { repetitions_completed: 3, repetitions_tapped: 4 } }, 'data.repetitions_tapped'],
    ] as const)
      assert.deepEqual(fieldsOf(await runs.event(patient, runId, body)), [422, [field]])
  })

  test('nobody writes to a run of another (404), nor to one that is unknown', async () => {
    const { runId } = await running()
    const stranger = await runs.patient(clinic)
    for (const id of [runId, UNKNOWN])
      for (const answer of [
        await runs.event(stranger, id, {}),
        await runs.pain(stranger, id),
        await runs.end(stranger, id),
        await runs.feedback(stranger, id),
      ])
        assert.deepEqual(codeOf(answer), [404, 'session_run_not_found'])
    assert.equal((await runs.stored(runId)).events.length, 0)
  })

  test('staff who are no longer patients of the clinic cannot access their runs (404)', async () => {
    const person = await core.member(clinic, 'specialist')
    const patient = await runs.patient(clinic, { person })
    const runId = await runs.started(patient)
    await core.database.query('update patients set deleted_at = now() where id = $1', [patient.id])
    const answers = [
      await runs.event(patient, runId, { type: 'completed' }),
      await runs.pain(patient, runId, { note: 'Still there' }),
      await runs.feedback(patient, runId, { comment: 'Still there' }),
      await runs.end(patient, runId),
    ]
    for (const answer of answers) assert.deepEqual(codeOf(answer), [404, 'session_run_not_found'])
    assert.deepEqual((await runs.stored(runId)).events, [])
  })

  test('a run that has ended accepts no events (409)', async () => {
    const { patient, runId } = await running()
    await runs.end(patient, runId)
    const late = await runs.event(patient, runId, { type: 'started' })
    assert.deepEqual([...codeOf(late), late.body.error.status], [409, 'session_run_ended', 'ended_explicit'])
  })

  test('pain that is reported after the end of a run is kept, once, and changes nothing of the end', async () => {
    const { patient, runId } = await running()
    await runs.feedback(patient, runId)
    const before = await runs.stored(runId)
    const [session_exercise_id] = patient.exercises
    for (const action of ['continue', 'skip_exercise', 'end_session'] as const) {
      const report = { severity: 7, action, session_exercise_id, client_event_id: randomUUID() }
      const [late, again] = [await runs.pain(patient, runId, report), await runs.pain(patient, runId, report)]
      assert.deepEqual([late.status, again.status, again.body.data.id], [201, 201, late.body.data.id], late.text)
    }
    assert.deepEqual(await runs.stored(runId), before)
    const rows = await core.database.query('select severity from pain_reports where session_run_id = $1', [runId])
    assert.deepEqual(rows, [{ severity: 7 }, { severity: 7 }, { severity: 7 }])
  })

  test('200 events an hour: of ten at once after 195, five are accepted, the others get 429 with Retry-After', async () => {
    const { patient, runId } = await running()
    const start = Date.now()
    await fill('session_run_events', runId, patient, 195, 50)
    const answers = await Promise.all(Array.from({ length: 10 }, () => runs.event(patient, runId, {})))
    assert.deepEqual(statuses(answers), [200, 200, 200, 200, 200, 429, 429, 429, 429, 429])
    const refused = answers.find(({ status }) => status === 429)
    assert.equal(refused?.body.error.code, 'rate_limited')
    const wait = Number(refused?.headers.get('retry-after'))
    const passed = (Date.now() - start) / 1000
    assert.ok(wait > 599 - passed && wait <= 600, `the first leaves in ten minutes, not in ${wait} s`)
    const known = answers.find(({ status }) => status === 200)?.body.data
    const repeat = await runs.event(patient, runId, { client_event_id: known.client_event_id })
    assert.equal(repeat.status, 200, 'a repeat takes no room')
    assert.equal((await runs.pain(patient, runId)).status, 201, 'pain has room of its own')
    await core.database.query(
      `update session_run_events set created_at = created_at - interval '15 minutes' where session_run_id = $1`,
      [runId],
    )
    assert.equal((await runs.event(patient, runId, {})).status, 200)
  })

  test('50 pain reports an hour in each run: of six at once after 48, two are accepted, the others get 429', async () => {
    const { patient, runId } = await running()
    const start = Date.now()
    await fill('pain_reports', runId, patient, 48, 30)
    const answers = await Promise.all(Array.from({ length: 6 }, () => runs.pain(patient, runId)))
    assert.deepEqual(statuses(answers), [201, 201, 429, 429, 429, 429])
    const wait = Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'))
    assert.ok(wait > 1_799 - (Date.now() - start) / 1000 && wait <= 1_800, `${wait} s`)
    assert.equal((await runs.event(patient, runId, {})).status, 200)
    const other = await running()
    assert.equal((await runs.pain(other.patient, other.runId)).status, 201)
  })

  test('pain is reported with its band; the event contains ids and the band, never the number or the text', async () => {
    const { patient, runId, first } = await running()
    const bands = { 0: 'none', 1: 'mild', 3: 'mild', 4: 'moderate', 6: 'moderate', 7: 'severe', 10: 'severe' }
    for (const [severity, band] of Object.entries(bands)) {
      const answer = await runs.pain(patient, runId, { severity: Number(severity), note: 'A sting' })
      assert.deepEqual([answer.status, answer.body.data.band], [201, band])
    }
    const answer = await runs.pain(patient, runId, { severity: 5, session_exercise_id: first, action: 'continue' })
    const told = (await runs.published(runId)).filter(({ type }) => type === 'pain.reported').at(-1)
    assert.deepEqual(told?.payload, {
      session_run_id: runId,
      patient_id: patient.id,
      patient_profile_id: patient.profile_id,
      pain_report_id: answer.body.data.id,
      session_exercise_id: first,
      severity_band: 'moderate',
      warning: false,
    })
    for (const body of [{ severity: 11 }, { severity: -1 }, { severity: 2.5 }, { action: 'stop' }, { note: ' ' }])
      assert.equal((await runs.pain(patient, runId, body)).status, 422)
    assert.deepEqual(fieldsOf(await runs.pain(patient, runId, { action: 'skip_exercise' })), [
      422,
      ['session_exercise_id'],
    ])
  })

  test('a repeated pain report is one report: by its own id, and by an Idempotency-Key', async () => {
    const { patient, runId } = await running()
    const client_event_id = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => runs.pain(patient, runId, { client_event_id, action: 'end_session' })),
    )
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    const path = `/v1/session-runs/${runId}/pain`
    const keyed = {
      as: patient.person,
      body: { severity: 1, action: 'rest' },
      headers: { 'idempotency-key': 'pain-1' },
    }
    assert.equal((await core.post(path, keyed)).text, (await core.post(path, keyed)).text)
    const types = (await runs.published(runId)).map(({ type }) => type)
    assert.deepEqual(types, ['session_run.started', 'pain.reported', 'session_run.ended', 'pain.reported'])
  })

  test('a pain report can skip an exercise, once, or end the run and abandon the rest', async () => {
    const { patient, runId, first, second } = await running()
    await runs.pain(patient, runId, { action: 'skip_exercise', session_exercise_id: first })
    await runs.pain(patient, runId, { action: 'skip_exercise', session_exercise_id: first })
    assert.deepEqual(await typesOf(runId), [[first, 'skipped']])
    assert.equal((await runs.stored(runId)).status, 'in_progress')
    await runs.pain(patient, runId, { action: 'end_session', severity: 9 })
    assert.equal((await runs.stored(runId)).status, 'ended_explicit')
    assert.deepEqual(await typesOf(runId), [
      [first, 'skipped'],
      [second, 'abandoned'],
    ])
    const late = await runs.pain(patient, runId, { action: 'skip_exercise', session_exercise_id: second })
    assert.equal(late.status, 201, 'pain is never turned away because the run is over')
    assert.equal((await runs.stored(runId)).events.length, 2)
  })

  test('an explicit end abandons open exercises before the status changes; the first end wins', async () => {
    const { patient, runId, first, second } = await running()
    await runs.event(patient, runId, { type: 'completed' })
    const ended = await runs.end(patient, runId)
    assert.deepEqual([ended.status, ended.body.data.status], [200, 'ended_explicit'])
    assert.deepEqual(await typesOf(runId), [
      [first, 'completed'],
      [second, 'abandoned'],
    ])
    for (const termination of ['ended_naturally', 'ended_explicit'])
      assert.deepEqual((await runs.end(patient, runId, termination)).text, ended.text)
    const trail = await runs.audited(runId)
    assert.equal(trail.filter((action) => action === 'session_runs.end').length, 1)
    const told = (await runs.published(runId)).filter(({ type }) => type === 'session_run.ended')
    assert.deepEqual(
      told.map(({ payload }) => [payload.session_run_id, payload.patient_id, payload.status]),
      [[runId, patient.id, 'ended_explicit']],
    )
    assert.equal((await runs.end(patient, runId, 'ended_auto')).status, 422)
  })

  test('a natural end needs an end of each exercise (409 names those without), and abandons nothing', async () => {
    const { patient, runId, first, second } = await running()
    await runs.event(patient, runId, { type: 'completed' })
    const early = await runs.end(patient, runId, 'ended_naturally')
    assert.deepEqual([...codeOf(early), early.body.error.session_exercise_ids], [409, 'exercises_open', [second]])
    await runs.event(patient, runId, { session_exercise_id: second, type: 'skipped' })
    assert.equal((await runs.end(patient, runId, 'ended_naturally')).body.data.status, 'ended_naturally')
    assert.deepEqual(await typesOf(runId), [
      [first, 'completed'],
      [second, 'skipped'],
    ])
  })

  test('of ten ends at once one ends the run, and late events are refused', async () => {
    const { patient, runId } = await running()
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => runs.end(patient, runId)),
      ...Array.from({ length: 5 }, () => runs.pain(patient, runId, { action: 'end_session' })),
      ...Array.from({ length: 5 }, () => runs.event(patient, runId, { type: 'completed' })),
    ])
    assert.ok(answers.every(({ status }) => [200, 201, 409].includes(status)))
    const told = (await runs.published(runId)).filter(({ type }) => type === 'session_run.ended')
    assert.equal(told.length, 1)
    const { events } = await runs.stored(runId)
    assert.equal(new Set(events.map((event) => event.session_exercise_id)).size, events.length)
  })

  test('feedback is kept, can be replaced, and ends a run that is stuck in progress', async () => {
    const { patient, runId } = await running()
    const first = await runs.feedback(patient, runId, { comment: 'Went well' })
    assert.deepEqual([first.status, first.body.data.comment], [200, 'Went well'])
    assert.equal((await runs.stored(runId)).status, 'ended_explicit')
    assert.deepEqual(
      (await typesOf(runId)).map(([, type]) => type),
      ['abandoned', 'abandoned'],
    )
    const second = await runs.feedback(patient, runId, { perceived_exertion: 9, pain: 0 })
    const { perceived_exertion, pain, comment, created_at } = second.body.data
    assert.deepEqual([perceived_exertion, pain, comment], [9, 0, null])
    assert.equal(created_at, first.body.data.created_at)
    await runs.feedback(patient, runId, { perceived_exertion: 9, pain: 0 })
    assert.deepEqual(await runs.audited(runId), [
      'session_runs.end',
      'session_runs.give_feedback',
      'session_runs.give_feedback',
      'session_runs.start',
    ])
    assert.deepEqual(
      (await runs.published(runId)).map(({ type }) => type),
      ['session_run.started', 'session_run.ended', 'session_run.feedback_given', 'session_run.feedback_given'],
    )
    for (const body of [{ pain: 11 }, { perceived_exertion: -1 }, { comment: 'x'.repeat(2_001) }])
      assert.equal((await runs.feedback(patient, runId, body)).status, 422)
  })

  test('feedback on a natural end leaves the end as it is', async () => {
    const patient = await runs.patient(clinic)
    const runId = await runs.done(patient)
    await Promise.all(Array.from({ length: 5 }, (_, pain) => runs.feedback(patient, runId, { pain })))
    assert.equal((await runs.stored(runId)).status, 'ended_naturally')
    const rows = await core.database.query('select 1 from session_feedback where session_run_id = $1', [runId])
    assert.equal(rows.length, 1)
  })

  test('while processing is restricted events and feedback are refused (409); pain reports and the end are accepted', async () => {
    const { patient, runId, first, second } = await running()
    await runs.restrict(patient)
    assert.deepEqual(codeOf(await runs.event(patient, runId, {})), [409, 'processing_restricted'])
    assert.deepEqual(codeOf(await runs.feedback(patient, runId)), [409, 'processing_restricted'])
    assert.equal((await runs.stored(runId)).status, 'in_progress')
    const skip = { action: 'skip_exercise', session_exercise_id: first }
    assert.equal((await runs.pain(patient, runId, skip)).status, 201)
    assert.equal((await runs.end(patient, runId)).status, 200)
    assert.deepEqual(await typesOf(runId), [
      [first, 'skipped'],
      [second, 'abandoned'],
    ])
  })

  test('an exercise completed in a run satisfies prerequisites', async () => {
    const [first, second] = [await runs.exercise(null), await runs.exercise(null, 'Lunge')]
    await runs.needsFirst(second, first)
    const patient = await runs.patient(clinic, { exercises: [first] })
    const findings = async () => {
      const body = { patient_id: patient.id, exercise_ids: [second] }
      const answer = await core.post('/v1/treatment-plans/safety-check', { as: clinic.admin, body })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data[0].findings.length
    }
    assert.equal(await findings(), 1)
    const runId = await runs.started(patient)
    await runs.event(patient, runId, { type: 'skipped' })
    assert.equal(await findings(), 1)
    await runs.end(patient, runId)
    await runs.done(patient)
    assert.equal(await findings(), 0)
  })
})
