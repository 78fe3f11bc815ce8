import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemContext } from '@tendon/access'
import { type Json, type Person, startCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type Patient, runsOf, type TestRuns, workerOf } from '../session-runs/runs.testing.ts'
import { telemetryOf } from '../session-runs/telemetry.testing.ts'
import { analyticsJobs } from './jobs.ts'
import { refreshOutcomes } from './queries.ts'

const [refreshJob] = analyticsJobs
const COHORT = '/v1/analytics/cohort/exercise-adherence'
const COUNTS = '/v1/admin/platform/exercise-aggregate-counts'

describe('cohorts and counts of the platform', () => {
  let core: TestCore
  let runs: TestRuns
  let worker: ReturnType<typeof workerOf>
  let telemetry: ReturnType<typeof telemetryOf>
  before(async () => {
    core = await startCore()
    runs = runsOf(core)
    worker = workerOf(core)
    telemetry = telemetryOf(core)
  })
  after(async () => {
    await worker.close()
    await core.close()
  })

  const refresh = () => worker.run(refreshJob)
  async function adherence(as: Person, query = ''): Promise<Json[]> {
    const answer = await core.get(COHORT + query, { as })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.exercises
  }

  test('adherence: how often each exercise was done, and how much of it, as of the last refresh', async () => {
    const clinic = await core.organization()
    const squat = await runs.exercise(null)
    const exercises = [{ exercise_id: squat, sets: 2, reps: 2 }, await runs.exercise(clinic, 'Lunge')]
    const patient = await runs.patient(clinic, { exercises })
    const done = await runs.done(patient)
    await telemetry.write(patient, done)
    // What the plan asks for later is not held against what was done.
    await core.database.query('update session_exercises set sets = 9 where id = $1', [patient.exercises[0]])
    const second = await runs.started(patient)
    await runs.end(patient, second)
    await runs.started(await runs.patient(clinic, { exercises: [squat] }))
    assert.deepEqual(await adherence(clinic.admin), [], 'not refreshed yet')
    await Promise.all([refresh(), refresh()])
    const support = await core.member(clinic, 'customer_support')
    const [other, first] = await adherence(support)
    assert.deepEqual(first, {
      exercise_id: squat,
      exercise_name: 'Squat',
      patients: 1,
      assigned: 2,
      completed: 1,
      skipped: 0,
      abandoned: 1,
      completion_rate: 0.5,
      measured: 1,
      repetition_adherence: 0.5,
      median_range_degrees: 85,
    })
    assert.deepEqual([other?.exercise_name, other?.measured, other?.repetition_adherence], ['Lunge', 0, null])
    assert.deepEqual(await adherence(support, '?to=2020-01-01'), [])
    assert.deepEqual((await adherence(support, `?program_id=${squat}`)).length, 0)
    assert.equal((await core.get(`${COHORT}?from=x`, { as: support })).status, 422)
  })

  test('a clinic sees its own cohort alone, with stats.view_org', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    await runs.done(await runs.patient(clinic))
    await refresh()
    assert.equal((await adherence(clinic.admin)).length, 2)
    assert.deepEqual(await adherence(other.admin), [])
    const without = await core.memberWith(clinic, ['session_runs.view_org'])
    const refused = await core.get(COHORT, { as: without })
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'stats.view_org'])
    assert.equal((await core.get(COHORT, { as: await core.superadmin() })).body.error.code, 'break_glass_required')
  })

  /** A patient written by SQL, with a run of the exercise that is over: many of them, fast. */
  async function quickRun(like: Patient, human: string | null): Promise<void> {
    await core.database.query(
      `with f as (insert into patient_profiles (organization_id, human_id, claimed_at)
          values ($1, $2, case when $2::uuid is not null then now() end) returning id),
        p as (insert into patients (organization_id, patient_profile_id, first_name, last_name)
          select $1, id, 'A', 'B' from f returning patient_profile_id as id),
        t as (insert into treatment_plans (organization_id, patient_profile_id, title, status)
          select $1, id, 'Knee', 'active' from p returning id, patient_profile_id),
        s as (insert into plan_sessions (organization_id, treatment_plan_id, patient_profile_id, position, title)
          select $1, id, patient_profile_id, 1, 'Monday' from t returning id)
        insert into session_exercises (organization_id, plan_session_id, exercise_id, position)
          select $1, s.id, e.exercise_id, 1 from s, session_exercises e where e.id = $3`,
      [like.clinic.id, human, like.exercises[0]],
    )
    await core.database.query(
      `insert into session_runs (organization_id, plan_session_id) select s.organization_id, s.id from plan_sessions s
         where s.organization_id = $1 and not exists (select 1 from session_runs r where r.plan_session_id = s.id)`,
      [like.clinic.id],
    )
    await core.database.query(
      `with clinic as materialized (select set_config('app.org_id', $1, true)::uuid as id)
         select end_session_run(r.id, 'ended_explicit') from clinic join session_runs r on r.organization_id = clinic.id
         where r.status = 'in_progress'`,
      [like.clinic.id],
    )
  }

  /** Seven repetitions for each of so many people who have done the exercise. */
  async function measure(exerciseId: string, people: number): Promise<void> {
    const DONE = `select distinct on (coalesce(f.human_id, f.id)) r.organization_id, r.id, r.patient_profile_id, e.id as media_id
      from session_runs r join patient_profiles f on f.id = r.patient_profile_id
      join session_exercises e on e.id = any (r.session_exercise_ids) and e.exercise_id = $1
      where r.status <> 'in_progress' order by coalesce(f.human_id, f.id), r.id`
    await core.database.query(
      `insert into run_manifests (run_id, organization_id, patient_profile_id, items)
       select d.id, d.organization_id, d.patient_profile_id, '[]' from (${DONE}) d on conflict do nothing`,
      [exerciseId],
    )
    await core.database.query(
      `insert into pose_session_metrics (organization_id, run_id, patient_profile_id, media_id, measured, confidence, repetitions)
       select d.organization_id, d.id, d.patient_profile_id, d.media_id, true, 1, 7 from (${DONE} limit $2) d on conflict do nothing`,
      [exerciseId, people],
    )
  }
  async function measuredOf(counts: () => Promise<Json>): Promise<unknown[]> {
    const { measured, repetitions } = await counts()
    return [measured, repetitions]
  }

  test('counts of the platform name no people, and leave out what fewer than ten have done', async () => {
    const operator = await core.superadmin()
    const clinics: TestOrganization[] = [await core.organization(), await core.organization()]
    const shared = await runs.exercise(null, 'Shared')
    const own = await runs.exercise(clinics[0] ?? null, 'The clinic’s own')
    const counts = async () => {
      await refresh()
      const answer = await core.get(COUNTS, { as: operator })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data.find((row: Json) => row.exercise_id === shared)
    }
    const people: Patient[] = []
    for (const clinic of clinics)
      people.push(await runs.patient(clinic, { exercises: [shared, ...(clinic === clinics[0] ? [own] : [])] }))
    const [first, second] = people
    assert.ok(first && second)
    for (const one of people) await runs.done(one)
    for (let count = 0; count < 7; count += 1) await quickRun(count % 2 ? first : second, null)
    // The same person once more, at another profile: still nine.
    await quickRun(second, first.person.id)
    assert.equal(await counts(), undefined)
    await quickRun(first, null)
    const row = await counts()
    assert.deepEqual(row, {
      exercise_id: shared,
      exercise_name: 'Shared',
      exercise_slug: row.exercise_slug,
      people: 10,
      assigned: 10, // 11 runs
      completed: null,
      skipped: null,
      abandoned: null,
      measured: null,
      repetitions: null,
    })
    await measure(shared, 9)
    assert.deepEqual(await measuredOf(counts), [null, null], 'what was counted of nine is not told')
    await measure(shared, 10)
    assert.deepEqual(await measuredOf(counts), [10, 70])
    const { text } = await core.get(COUNTS, { as: operator })
    assert.ok(!text.includes(own) && !text.includes('profile') && !text.includes('principal'))

    // Their two profiles are not two people now.
    await core.database.query(
      `update patients set erased_at = now(), deleted_at = now()
       where patient_profile_id in (select id from patient_profiles where human_id = $1)`,
      [first.person.id],
    )
    await core.database.query('update patient_profiles set human_id = null, claimed_at = null where human_id = $1', [
      first.person.id,
    ])
    assert.equal(await counts(), undefined, 'without the erased nine are left')

    for (let count = 0; count < 3; count += 1) await quickRun(first, null)
    await measure(shared, 12)
    const inTens = async () => {
      const { people, assigned, abandoned, measured } = await counts()
      return [people, assigned, abandoned, measured]
    }
    assert.deepEqual(await inTens(), [10, 10, 10, 10])
    await quickRun(first, null)
    await measure(shared, 13)
    assert.deepEqual(await inTens(), [10, 10, 10, 10], 'one person more is not seen')
  })

  test('counts of the platform are for its operators alone', async () => {
    const clinic = await core.organization()
    assert.equal((await core.get(COUNTS, { as: clinic.admin })).status, 403)
    assert.equal((await core.get(COUNTS)).status, 401)
  })

  test('nobody reads the view itself: not the API, the worker, telemetry or the platform', async () => {
    for (const role of ['tendon_app', 'tendon_worker', 'tendon_telemetry', 'tendon_platform']) {
      const [row] = await core.database.query<{ reads: boolean }>(
        `select has_any_column_privilege($1, 'exercise_outcomes', 'select') as reads`,
        [role],
      )
      assert.deepEqual(row, { reads: false }, role)
    }
  })

  test('readers do not wait while the view is refreshed', async () => {
    const clinic = await core.organization()
    await runs.done(await runs.patient(clinic))
    await refresh()
    await worker.services.db.tenant(systemContext(null), async (tx) => {
      await refreshOutcomes(tx)
      assert.equal((await adherence(clinic.admin)).length, 2)
    })
  })
})
