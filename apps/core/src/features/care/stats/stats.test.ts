import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type Patient, runsOf, type TestRuns } from '../session-runs/runs.testing.ts'
import { telemetryOf } from '../session-runs/telemetry.testing.ts'
import { fieldsOf, UNKNOWN } from '../treatment-plans/plans.testing.ts'
import { countsBy, problemsOfPeriod, rateOf } from './rules.ts'

const PATHS = ['overview', 'exercises', 'pain-summary']

describe('the clinic’s numbers', () => {
  let core: TestCore
  let runs: TestRuns
  let telemetry: ReturnType<typeof telemetryOf>
  before(async () => {
    core = await sharedCore()
    runs = runsOf(core)
    telemetry = telemetryOf(core)
  })
  after(() => core.close())

  const read = (path: string, as: Person, query = '') => core.get(`/v1/stats/${path}${query}`, { as })
  async function numbers(path: string, as: Person, query = ''): Promise<Json> {
    const answer = await read(path, as, query)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const program = async (clinic: TestOrganization) => {
    const [row] = await core.database.query<{ id: string }>(
      `insert into programs (organization_id, name) values ($1, 'Knee') returning id`,
      [clinic.id],
    )
    return row?.id ?? ''
  }
  const move = (table: string, runId: string, column: string, time: string) =>
    core.database.query(
      `update ${table} set ${column} = $2::timestamptz where ${table === 'session_runs' ? 'id' : 'session_run_id'} = $1`,
      [runId, time],
    )

  const clinics: ReturnType<typeof newBusyClinic>[] = []
  /** The first one is for those who only read, the second one for the only test that moves its runs. */
  const busyClinic = (which: 0 | 1 = 0) => (clinics[which] ??= newBusyClinic())

  /** Two patients, one with a plan of the program: three runs, one of them natural, one left open, one with pain. */
  async function newBusyClinic() {
    const clinic = await core.organization()
    const [squat, lunge] = [await runs.exercise(null), await runs.exercise(null, 'Lunge')]
    const programId = await program(clinic)
    const inProgram = await runs.patient(clinic, { exercises: [squat, lunge], programId })
    const other = await runs.patient(clinic, { exercises: [squat] })
    const start = new Date().toISOString()
    const natural = await runs.done(inProgram)
    await telemetry.write(inProgram, natural)
    await runs.feedback(inProgram, natural, { perceived_exertion: 6, pain: 1 })
    const open = await runs.started(inProgram)
    const painful = await runs.started(other)
    await runs.event(other, painful, { type: 'paused_for_pain' })
    await runs.pain(other, painful, { severity: 2, session_exercise_id: other.exercises[0] })
    await runs.pain(other, painful, { severity: 8, action: 'end_session' })
    // All on one day, also when midnight has passed meanwhile.
    for (const run of [natural, open, painful]) await move('session_runs', run, 'started_at', start)
    await move('pain_reports', painful, 'created_at', start)
    return { clinic, programId, inProgram, other, natural, open, painful, squat, lunge }
  }

  test('overview: runs by their end, patients, exercises, feedback, pain, playback, day by day', async () => {
    const { clinic } = await busyClinic()
    const support = await core.member(clinic, 'customer_support')
    const data = await numbers('overview', support)
    assert.deepEqual([data.patients, data.pain_reports], [2, 2])
    const { median_duration_seconds, ...byEnd } = data.runs
    assert.deepEqual(byEnd, { total: 3, in_progress: 1, ended_naturally: 1, ended_explicit: 1, ended_auto: 0 })
    assert.ok(median_duration_seconds >= 0)
    assert.deepEqual(data.exercises, { assigned: 5, completed: 2, skipped: 0, abandoned: 1, completion_rate: 0.4 })
    assert.deepEqual(data.feedback, { count: 1, mean_perceived_exertion: 6, mean_pain: 1 })
    assert.deepEqual(data.media, {
      runs: 1,
      incomplete: 0,
      startup_ms: { median: 640, p95: 640 },
      rebuffer_pct: { median: 1.5, p95: 1.5 },
    })
    assert.deepEqual(
      data.days.map(({ runs: count, patients }: Json) => [count, patients]),
      [[3, 2]],
    )
  })

  test('exercises: results of each, with pauses, pain and measurements', async () => {
    const { clinic, squat, lunge } = await busyClinic()
    const { exercises } = await numbers('exercises', clinic.admin)
    const [first, second] = exercises
    assert.deepEqual([first.exercise_id, second.exercise_id], [squat, lunge])
    assert.deepEqual([first.patients, first.assigned, first.completed, first.abandoned], [2, 3, 1, 1])
    assert.deepEqual([first.pauses_for_pain, first.pain_reports, first.max_severity], [1, 1, 2])
    assert.deepEqual([first.measured, first.median_repetitions, first.median_range_degrees], [1, 2, 85])
    assert.equal(first.median_repetitions_to_target, 1)
    assert.deepEqual([second.measured, second.median_repetitions, second.completion_rate], [0, null, 0.5])
  })

  test('pain: bands, actions, exercises and days', async () => {
    const { clinic, squat } = await busyClinic()
    const data = await numbers('pain-summary', clinic.admin)
    assert.deepEqual([data.reports, data.patients, data.mean_severity, data.max_severity], [2, 1, 5, 8])
    assert.deepEqual(data.bands, { none: 0, mild: 1, moderate: 0, severe: 1 })
    assert.deepEqual(data.actions, { continue: 0, rest: 1, skip_exercise: 0, end_session: 1 })
    assert.deepEqual(data.exercises, [
      { exercise_id: squat, exercise_name: 'Squat', reports: 1, patients: 1, mean_severity: 2, max_severity: 2 },
    ])
    assert.deepEqual(
      data.days.map(({ reports, max_severity }: Json) => [reports, max_severity]),
      [[2, 8]],
    )
  })

  test('program_id counts only plans created from that program; an unknown one counts nothing', async () => {
    const { clinic, programId } = await busyClinic()
    const foreign = (await busyClinic(1)).programId
    const only = `?program_id=${programId}`
    const overview = await numbers('overview', clinic.admin, only)
    assert.deepEqual([overview.runs.total, overview.patients, overview.pain_reports], [2, 1, 0])
    assert.equal((await numbers('exercises', clinic.admin, only)).exercises[0].assigned, 2)
    assert.equal((await numbers('pain-summary', clinic.admin, only)).reports, 0)
    for (const id of [UNKNOWN, foreign])
      assert.equal((await numbers('overview', clinic.admin, `?program_id=${id}`)).runs.total, 0)
  })

  test('a day is the clinic’s own: midnight in its time zone divides, both ends inclusive', async () => {
    const clinic = await core.organization({ time_zone: 'Pacific/Auckland' })
    const patient = await runs.patient(clinic)
    const [before, after] = [await runs.done(patient), await runs.done(patient)]
    // Midnight of 10 June 2026 in Auckland (UTC+12).
    await move('session_runs', before, 'started_at', '2026-06-09T11:59:59Z')
    await move('session_runs', after, 'started_at', '2026-06-09T12:00:00Z')
    const days = async (query: string) =>
      (await numbers('overview', clinic.admin, query)).days.map((one: Json) => one.day)
    assert.deepEqual(await days('?from=2026-06-09&to=2026-06-10'), ['2026-06-09', '2026-06-10'])
    assert.deepEqual(await days('?from=2026-06-10&to=2026-06-10'), ['2026-06-10'])
    assert.deepEqual(await days('?from=2026-06-09&to=2026-06-09'), ['2026-06-09'])
    assert.deepEqual(await days('?from=2026-06-11&to=2026-06-30'), [])
    const { period } = await numbers('overview', clinic.admin, '?from=2026-06-09&to=2026-06-10')
    assert.deepEqual(period, { from: '2026-06-09', to: '2026-06-10', time_zone: 'Pacific/Auckland' })
  })

  test('days have their real length, also where the clocks change at midnight', async () => {
    const DAYS: [string, string, string[], string[]][] = [
      // 23 and 25 hours in Bucharest; 23 from midnight itself in Beirut; in Havana midnight comes twice.
      ['Europe/Bucharest', '2026-03-29', ['03-28T22:00:00', '03-29T20:59:59'], ['03-28T21:59:59', '03-29T21:00:00']],
      ['Europe/Bucharest', '2026-10-25', ['10-24T21:00:00', '10-25T21:59:59'], ['10-24T20:59:59', '10-25T22:00:00']],
      ['Asia/Beirut', '2025-03-30', ['03-29T22:00:00', '03-30T20:59:59'], ['03-29T21:59:59', '03-30T21:00:00']],
      ['America/Havana', '2025-11-02', ['11-02T04:00:00', '11-03T04:59:59'], ['11-02T03:59:59', '11-03T05:00:00']],
    ]
    const clinic = await core.organization()
    const run = await runs.done(await runs.patient(clinic))
    for (const [time_zone, day, inside, outside] of DAYS) {
      const settled = await core.patch(`/v1/organizations/${clinic.id}`, { as: clinic.admin, body: { time_zone } })
      assert.equal(settled.status, 200, settled.text)
      for (const time of [...inside, ...outside]) {
        await move('session_runs', run, 'started_at', `${day.slice(0, 4)}-${time}Z`)
        const { days } = await numbers('overview', clinic.admin, `?from=${day}&to=${day}`)
        assert.deepEqual(days, inside.includes(time) ? [{ day, runs: 1, patients: 1 }] : [], `${time_zone} ${time}`)
      }
    }
  })

  test('without dates the last 30 days are counted', async () => {
    const { clinic, natural } = await busyClinic(1)
    const { period } = await numbers('overview', clinic.admin)
    assert.equal((Date.parse(period.to) - Date.parse(period.from)) / 86_400_000, 29)
    await move('session_runs', natural, 'started_at', new Date(Date.now() - 40 * 86_400_000).toISOString())
    assert.equal((await numbers('overview', clinic.admin)).runs.total, 2)
  })

  test('wrong dates and programs are refused by name (422)', async () => {
    const { admin } = await core.organization()
    for (const path of PATHS)
      for (const [query, field] of [
        ['?from=yesterday', 'from'],
        ['?to=2026-02-30', 'to'],
        ['?from=2026-02-02&to=2026-02-01', 'from'],
        ['?from=2024-01-01&to=2026-01-01', 'from'],
        ['?program_id=7', 'program_id'],
      ])
        assert.deepEqual(fieldsOf(await read(path, admin, query)), [422, [field]], `${path} ${query}`)
  })

  test('the numbers are the clinic’s own, for holders of stats.view_org', async () => {
    const { clinic } = await busyClinic()
    const empty = await core.organization()
    const patient: Patient = await runs.patient(empty)
    const without = await core.memberWith(clinic, ['session_runs.view_org', 'patients.view_org'])
    for (const path of PATHS) {
      const refused = await read(path, without)
      assert.deepEqual([refused.status, refused.body.error.required], [403, 'stats.view_org'])
      assert.equal((await read(path, patient.person)).status, 403)
      assert.equal((await read(path, await core.superadmin())).body.error.code, 'break_glass_required')
    }
    assert.equal((await numbers('overview', empty.admin)).runs.total, 0)
    assert.deepEqual((await numbers('overview', empty.admin)).exercises.completion_rate, null)
    assert.deepEqual((await numbers('exercises', empty.admin)).exercises, [])
    assert.equal((await numbers('pain-summary', empty.admin)).mean_severity, null)
  })

  test('rules: a share of zero is null; a period has at most 366 days', () => {
    assert.deepEqual([rateOf(0, 0), rateOf(1, 3), rateOf(3, 3)], [null, 0.3333, 1])
    assert.deepEqual(problemsOfPeriod({ from: '2026-01-01', to: '2026-12-31' }), {})
    assert.deepEqual(problemsOfPeriod({ from: '2024-01-01', to: '2024-12-31' }), {}, 'a leap year')
    assert.deepEqual(Object.keys(problemsOfPeriod({ from: '2026-01-01', to: '2027-01-02' })), ['from'])
    assert.deepEqual(countsBy(['a', 'b'], [{ name: 'b', count: 2 }]), { a: 0, b: 2 })
  })
})
