import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { plansOf, session, type TestPlans } from './plans.testing.ts'

describe('a condition recorded after the plan was activated', () => {
  let core: TestCore
  let plans: TestPlans
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    plans = plansOf(core)
    clinic = await core.organization()
  })
  after(() => core.close())

  const record = async (patient: { id: string }, condition_id: string, as = clinic.admin): Promise<Json> => {
    const answer = await core.post(`/v1/patients/${patient.id}/conditions`, { as, body: { condition_id } })
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }
  const listed = async (patient: { id: string }): Promise<Json[]> =>
    (await core.get(`/v1/treatment-plans?patient_id=${patient.id}&sort=created_at`, { as: clinic.admin })).body.data
  const told = async (patient: { id: string }): Promise<Json[]> =>
    (
      await core.database.query<{ payload: Json }>(
        `select payload from outbox_events where type = 'treatment_plan.contraindicated' and payload ->> 'patient_id' = $1
         order by id`,
        [patient.id],
      )
    ).map(({ payload }) => payload)

  test('a condition recorded after the plan was activated returns the active plans it affects, with exercises and severity, and an event for those it forbids', async () => {
    const patient = await core.patient(clinic)
    const condition = await plans.condition(null)
    const [jump, squat, walk] = [
      await plans.exercise(clinic, 'Jump'),
      await plans.exercise(null, 'Squat'),
      await plans.exercise(null, 'Walk'),
    ]
    await plans.contraindicate(jump, condition, 'contraindicated')
    await plans.contraindicate(squat, condition, 'relative')
    const forbidden = await plans.given(clinic, patient.id, [jump, walk, squat, jump])
    const doubtful = await plans.given(clinic, patient.id, [squat])
    await plans.given(clinic, patient.id, [walk])
    const draft = await plans.written(clinic, patient.id, [jump])
    const closed = await plans.given(clinic, patient.id, [jump])
    await plans.become(clinic.admin, closed.id, 'completed')
    const stranger = await core.patient(clinic)
    await plans.given(clinic, stranger.id, [jump])
    assert.ok((await listed(patient)).every(({ is_blocked }) => is_blocked === false))

    const { data, affected_plans } = await record(patient, condition)
    assert.deepEqual(affected_plans, [
      {
        id: forbidden.id,
        title: 'Knee',
        exercises: [
          { id: jump, name: 'Jump', severity: 'contraindicated' },
          { id: squat, name: 'Squat', severity: 'relative' },
        ],
      },
      { id: doubtful.id, title: 'Knee', exercises: [{ id: squat, name: 'Squat', severity: 'relative' }] },
    ])
    assert.deepEqual(await told(patient), [
      {
        treatment_plan_id: forbidden.id,
        patient_id: patient.id,
        patient_profile_id: patient.profile_id,
        patient_condition_id: data.id,
        program_id: null,
        exercise_ids: [jump],
      },
    ])
    const blocked = (await listed(patient)).filter((plan) => plan.is_blocked).map(({ id }) => id)
    assert.deepEqual(blocked, [forbidden.id, draft.id])
    assert.ok((await listed(stranger)).every((plan) => !plan.is_blocked))
  })

  test('a condition recorded after the plan was activated returns no plans when none is active or none is affected', async () => {
    const patient = await core.patient(clinic)
    const [condition, other] = [await plans.condition(null), await plans.condition(clinic)]
    const exercise = await plans.exercise(null)
    await plans.contraindicate(exercise, condition, 'contraindicated')
    const plan = await plans.given(clinic, patient.id, [exercise])
    assert.deepEqual((await record(patient, other)).affected_plans, [])
    assert.equal((await record(patient, condition)).affected_plans[0].id, plan.id)
    const unrelated = await plans.condition(clinic)
    assert.deepEqual((await record(patient, unrelated)).affected_plans, [])
    assert.equal((await told(patient)).length, 1)
  })

  test('a condition recorded after the plan was activated counts as its replacement, and exercises removed from the plan do not count', async () => {
    const patient = await core.patient(clinic)
    const [old, condition] = [await plans.condition(null), await plans.condition(null)]
    const [jump, squat] = [await plans.exercise(null, 'Jump'), await plans.exercise(null, 'Squat')]
    for (const exercise of [jump, squat]) await plans.contraindicate(exercise, old, 'contraindicated')
    await core.database.query('update taxonomy_tags set deprecated_at = now(), replaced_by_id = $2 where id = $1', [
      old,
      condition,
    ])
    const plan = await plans.given(clinic, patient.id, [jump, squat])
    const body = { version: plan.version, title: 'Knee', sessions: [session([squat])] }
    assert.equal((await plans.replace(clinic.admin, plan.id, body)).status, 200)
    const { affected_plans } = await record(patient, condition)
    assert.deepEqual(
      affected_plans.map(({ exercises }: Json) => exercises.map(({ id }: Json) => id)),
      [[squat]],
    )
  })

  test('a condition recorded after the plan was activated returns the plans also to callers who cannot view plans', async () => {
    const patient = await core.patient(clinic)
    const condition = await plans.condition(null)
    const exercise = await plans.exercise(null)
    await plans.contraindicate(exercise, condition, 'contraindicated')
    await plans.given(clinic, patient.id, [exercise])
    const recorder = await core.memberWith(clinic, ['treatment_plans.manage', 'patients.view_org'])
    assert.equal((await record(patient, condition, recorder)).affected_plans.length, 1)
    assert.equal((await told(patient)).length, 1)
  })

  test('or a contraindication added later, is listed until the exercise is removed from the plan', async () => {
    const patient = await core.patient(clinic)
    const condition = await plans.condition(null)
    const [jump, walk] = [await plans.exercise(clinic, 'Jump'), await plans.exercise(null, 'Walk')]
    await record(patient, condition)
    const plan = await plans.given(clinic, patient.id, [jump, walk])
    const isBlocked = async () => (await listed(patient)).map(({ is_blocked }) => is_blocked)
    assert.deepEqual(await isBlocked(), [false])
    await plans.contraindicate(jump, condition, 'contraindicated')
    assert.deepEqual(await isBlocked(), [true])
    const body = { version: plan.version, title: 'Knee', sessions: [session([walk])] }
    assert.equal((await plans.replace(clinic.admin, plan.id, body)).status, 200)
    assert.deepEqual(await isBlocked(), [false])
  })
})
