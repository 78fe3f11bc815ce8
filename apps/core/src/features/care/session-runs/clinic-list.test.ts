import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf } from '../treatment-plans/plans.testing.ts'
import { type Patient, runsOf, type TestRuns } from './runs.testing.ts'
import { telemetryOf } from './telemetry.testing.ts'

describe('the session runs of a clinic', () => {
  let core: TestCore
  let runs: TestRuns
  let telemetry: ReturnType<typeof telemetryOf>
  before(async () => {
    core = await sharedCore()
    runs = runsOf(core)
    telemetry = telemetryOf(core)
  })
  after(() => core.close())

  const list = (as: Person, query = '') => core.get(`/v1/session-runs${query}`, { as })
  const idsOf = ({ body, text }: Json) => {
    assert.ok(body.data, text)
    return body.data.map((run: Json) => run.id)
  }

  async function ended(of: Patient, severity?: number, complete?: boolean): Promise<string> {
    const runId = await runs.started(of)
    if (severity !== undefined) await runs.pain(of, runId, { severity })
    await runs.end(of, runId)
    if (complete !== undefined) await telemetry.write(of, runId, { complete })
    return runId
  }

  /** One run for each reason to look at it. */
  async function clinicWithRuns() {
    const clinic = await core.organization()
    const patient = await runs.patient(clinic)
    const quiet = await ended(patient)
    const mild = await ended(patient, 2, true)
    const incomplete = await ended(patient, 2, false)
    const severe = await ended(patient, 8, true)
    const newest = await ended(patient)
    return { clinic, patient, quiet, mild, incomplete, severe, newest }
  }

  test('worst pain comes first, then incomplete runs, then the newest', async () => {
    const { clinic, patient, quiet, mild, incomplete, severe, newest } = await clinicWithRuns()
    await telemetry.replay(patient, severe)
    const answer = await list(clinic.admin)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(idsOf(answer), [severe, incomplete, mild, newest, quiet])
    const [first, second, , last] = answer.body.data
    assert.deepEqual(first.patient, { id: patient.id, name: 'Maria Stan' })
    assert.deepEqual([first.exercise_names, first.session_title], [['Squat', 'Lunge'], 'Monday'])
    assert.deepEqual([first.worst_pain, first.incomplete, first.replay_available], [8, false, true])
    assert.deepEqual([first.status, typeof first.ended_at], ['ended_explicit', 'string'])
    assert.deepEqual([second.worst_pain, second.incomplete, second.replay_available], [2, true, false])
    assert.deepEqual([last.worst_pain, last.incomplete], [null, null])
    assert.equal(answer.body.pagination.total, 5)
  })

  test('each run says how many exercises were done and who counted the repetitions', async () => {
    const clinic = await core.organization()
    const patient = await runs.patient(clinic)
    const nothing = await ended(patient)
    const some = await runs.started(patient)
    const data = { repetitions_completed: 9, repetitions_tapped: 9 }
    await runs.event(patient, some, { type: 'completed', data })
    await runs.end(patient, some)
    const { body } = await list(clinic.admin, '?sort=-started_at')
    assert.deepEqual(
      body.data.map((run: Json) => [run.id, run.exercises, run.repetitions]),
      [
        [some, { total: 2, completed: 1, skipped: 0, abandoned: 1 }, { measured: null, tapped: 9 }],
        [nothing, { total: 2, completed: 0, skipped: 0, abandoned: 2 }, { measured: null, tapped: null }],
      ],
    )
  })

  test('pain in the feedback counts as well', async () => {
    const clinic = await core.organization()
    const patient = await runs.patient(clinic)
    const reported = await ended(patient, 5)
    const inFeedback = await ended(patient, 1)
    await runs.feedback(patient, inFeedback, { pain: 9 })
    const answer = await list(clinic.admin)
    assert.deepEqual(idsOf(answer), [inFeedback, reported])
    assert.deepEqual(
      answer.body.data.map((run: Json) => run.worst_pain),
      [9, 5],
    )
  })

  test('the list filters by patient, status and time, sorts and pages', async () => {
    const { clinic, patient, quiet, mild, incomplete, severe, newest } = await clinicWithRuns()
    const other = await runs.patient(clinic)
    const open = await runs.started(other)
    assert.deepEqual(idsOf(await list(clinic.admin, `?patient_id=${other.id}`)), [open])
    assert.deepEqual(idsOf(await list(clinic.admin, '?status=in_progress')), [open])
    assert.deepEqual(idsOf(await list(clinic.admin, `?treatment_plan_id=${patient.plan_id}&sort=started_at`)), [
      quiet,
      mild,
      incomplete,
      severe,
      newest,
    ])
    assert.deepEqual(idsOf(await list(clinic.admin, '?sort=-worst_pain&limit=1')), [severe])
    assert.deepEqual(idsOf(await list(clinic.admin, '?incomplete=true')), [incomplete])
    assert.deepEqual(idsOf(await list(clinic.admin, '?incomplete=false&sort=started_at')), [mild, severe])
    assert.deepEqual(idsOf(await list(clinic.admin, '?limit=2&page=2')), [mild, open])
    assert.equal((await list(clinic.admin, '?started_at_after=2999-01-01')).body.pagination.total, 0)
    assert.equal((await list(clinic.admin, '?started_at_before=yesterday')).status, 422)
  })

  test('plans are found by when their patient last exercised', async () => {
    const clinic = await core.organization()
    const [active, silent] = [await runs.patient(clinic), await runs.patient(clinic)]
    await core.database.query(
      `update treatment_plans set activated_at = now() - interval '9 days' where id = any($1)`,
      [[active.plan_id, silent.plan_id]],
    )
    await ended(active)
    const since = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
    const plans = async (query: string) =>
      idsOf(await core.get(`/v1/treatment-plans?status=active&${query}`, { as: clinic.admin }))
    assert.deepEqual(await plans(`last_active_at_before=${since}`), [silent.plan_id])
    assert.deepEqual(await plans('sort=-last_active_at'), [active.plan_id, silent.plan_id])
    await core.database.query(`update treatment_plans set starts_on = current_date + 5 where id = $1`, [silent.plan_id])
    assert.deepEqual(await plans(`last_active_at_before=${since}`), [], 'the plan has not begun yet')
  })

  test('when a patient last exercised is the same for everybody who sees the plan', async () => {
    const clinic = await core.organization()
    const [active, silent] = [await runs.patient(clinic), await runs.patient(clinic)]
    await core.database.query(
      `update treatment_plans set activated_at = now() - interval '28 days' where id = any($1)`,
      [[active.plan_id, silent.plan_id]],
    )
    const [run] = await core.database.query<{ started_at: string }>(
      `select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as started_at
       from session_runs where id = $1`,
      [await ended(active)],
    )
    const before = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
    const deskWithoutRuns = await core.memberWith(clinic, ['treatment_plans.view_org', 'patients.view_org'])
    for (const as of [clinic.admin, await core.member(clinic, 'customer_support'), deskWithoutRuns]) {
      const answer = await core.get('/v1/treatment-plans?sort=-last_active_at', { as })
      assert.deepEqual(idsOf(answer), [active.plan_id, silent.plan_id])
      assert.equal(answer.body.data[0].last_active_at, run?.started_at)
      const silentOnes = await core.get(`/v1/treatment-plans?last_active_at_before=${before}`, { as })
      assert.deepEqual(idsOf(silentOnes), [silent.plan_id])
    }
  })

  test('the time of the last run is not readable for a plan of another clinic, nor without the permission', async () => {
    const clinic = await core.organization()
    const patient = await runs.patient(clinic)
    await ended(patient)
    const lastRun = (organization: string, permissions: string) =>
      core.database.query(
        `with context as materialized (select set_config('app.org_id', $1, true), set_config('app.permissions', $2, true))
         select plan_last_run_at($3) as at from context`,
        [organization, permissions, patient.plan_id],
      )
    const elsewhere = await core.organization()
    assert.notDeepEqual(await lastRun(clinic.id, ',treatment_plans.view_org,'), [{ at: null }])
    assert.deepEqual(await lastRun(elsewhere.id, ',treatment_plans.view_org,'), [{ at: null }])
    assert.deepEqual(await lastRun(clinic.id, ',session_runs.view_org,'), [{ at: null }])
  })

  test('a list about one patient is in the log of that patient', async () => {
    const { clinic, patient } = await clinicWithRuns()
    await list(clinic.admin, `?patient_id=${patient.id}`)
    const entries = await core.database.query(
      `select patient_profile_id from audit_log where action = 'session_runs.list' and target_id = $1`,
      [patient.id],
    )
    assert.deepEqual(entries, [{ patient_profile_id: patient.profile_id }])
  })

  test('only the clinic’s own runs are listed, of patients who are not deleted, to staff with the permission', async () => {
    const { clinic, patient } = await clinicWithRuns()
    const elsewhere: TestOrganization = await core.organization()
    assert.deepEqual(idsOf(await list(elsewhere.admin)), [])
    assert.deepEqual(idsOf(await list(elsewhere.admin, `?patient_id=${patient.id}`)), [])
    // Staff of one clinic who are patients of another see only the former's runs.
    const both = await core.member(elsewhere, 'specialist')
    await ended(await runs.patient(clinic, { person: both }), 4)
    assert.deepEqual(
      idsOf(await core.get('/v1/session-runs', { as: both, headers: { 'x-organization-id': elsewhere.id } })),
      [],
    )
    const without = await core.memberWith(clinic, ['patients.view_org'])
    assert.deepEqual(codeOf(await list(without)), [403, 'forbidden'])
    const blind = await core.memberWith(clinic, ['session_runs.view_org'])
    assert.equal((await list(blind)).body.error.required, 'patients.view_org')
    assert.equal((await list(await core.superadmin())).body.error.code, 'break_glass_required')
    assert.equal(idsOf(await list(clinic.admin)).length, 6)
    await core.delete(`/v1/patients/${patient.id}`, { as: clinic.admin })
    assert.equal(idsOf(await list(clinic.admin)).length, 1)
  })
})
