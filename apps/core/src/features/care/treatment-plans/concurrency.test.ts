import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { soakRuns } from '@tendon/testing'
import { type Answer, type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, plansOf, sentBack, session, type TestPlans } from './plans.testing.ts'

const ROUNDS = soakRuns(4)

describe('treatment plans under parallel requests', () => {
  let core: TestCore
  let plans: TestPlans
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    plans = plansOf(core)
    clinic = await core.organization()
  })
  after(() => core.close())

  const codesOf = (answers: Answer[]) =>
    answers.map(({ status, body }) => `${status} ${body?.error?.code ?? ''}`.trim()).sort()
  const remove = (exerciseId: string) => core.delete(`/v1/exercises/${exerciseId}`, { as: clinic.admin })

  test('of six parallel changes of one plan each is saved or refused as stale; nothing is lost', async () => {
    const patient = await core.patient(clinic)
    const squat = await plans.exercise(null)
    const plan = await plans.written(clinic, patient.id, [squat])
    async function add(title: string): Promise<number> {
      for (let attempt = 1; ; attempt += 1) {
        const now = (await plans.read(clinic.admin, plan.id)).body.data
        const sessions = [...sentBack(now).sessions, session([squat], { title })]
        const answer = await plans.replace(clinic.admin, plan.id, { ...sentBack(now), sessions })
        if (answer.status === 200) return attempt
        assert.deepEqual(codeOf(answer), [409, 'stale_version'])
      }
    }
    const titles = Array.from({ length: 6 }, (_, index) => `By ${index}`)
    await Promise.all(titles.map(add))
    const saved = (await plans.read(clinic.admin, plan.id)).body.data
    assert.deepEqual(saved.sessions.map((one: Json) => one.title).sort(), [...titles, 'Monday'].sort())
    assert.deepEqual(
      saved.sessions.map((one: Json) => one.position),
      [1, 2, 3, 4, 5, 6, 7],
    )
    assert.equal(saved.version, 7)
  })

  test('of ten parallel activations one succeeds, with one event and one audit row', async () => {
    const own = await core.organization()
    const patient = await core.patient(own)
    const { id } = await plans.written(own, patient.id, [await plans.exercise(null)])
    const answers = await Promise.all(Array.from({ length: 10 }, () => plans.become(own.admin, id, 'active')))
    assert.deepEqual(codesOf(answers), ['200', ...Array.from({ length: 9 }, () => '409 invalid_transition')])
    assert.deepEqual(await plans.events(own, 'treatment_plan.activated'), ['treatment_plan.activated'])
    assert.equal((await plans.entries(own, 'treatment_plans.activate')).length, 1)
  })

  test('an exercise of an active plan is not deleted (409), one of a draft is, and then the draft is not activated', async () => {
    const patient = await core.patient(clinic)
    const [used, planned] = [await plans.exercise(clinic), await plans.exercise(clinic, 'Hop')]
    const active = await plans.given(clinic, patient.id, [used])
    const draft = await plans.written(clinic, patient.id, [planned])
    assert.deepEqual(codeOf(await remove(used)), [409, 'exercise_in_use'])
    assert.equal((await remove(planned)).status, 204)
    const refused = await plans.become(clinic.admin, draft.id, 'active')
    assert.deepEqual(codeOf(refused), [409, 'exercises_unavailable'])
    assert.deepEqual(refused.body.error.exercises[0].name, 'Hop')
    const other = await plans.exercise(null)
    await plans.replace(clinic.admin, active.id, { ...sentBack(active), sessions: [session([other])] })
    assert.equal((await remove(used)).status, 204, 'it was taken out')
    const operator = await core.superadmin()
    const removeOfPlatform = () => core.delete(`/v1/exercises/${other}`, { as: operator })
    assert.deepEqual(codeOf(await removeOfPlatform()), [409, 'exercise_in_use'], 'at whatever clinic')
    await core.database.query('update patients set deleted_at = now() where id = $1', [patient.id])
    assert.equal((await removeOfPlatform()).status, 204, 'nobody does the plan any more')
  })

  test('an exercise is deleted or added to an active plan, never both', async () => {
    const patient = await core.patient(clinic)
    for (let round = 0; round < ROUNDS; round += 1) {
      const [squat, hop] = [await plans.exercise(null), await plans.exercise(clinic, 'Hop')]
      const plan = await plans.given(clinic, patient.id, [squat])
      const sessions = [...sentBack(plan).sessions, session([hop])]
      const [put, deleted] = await Promise.all([
        plans.replace(clinic.admin, plan.id, { ...sentBack(plan), sessions }),
        remove(hop),
      ])
      const outcome = [put, deleted].map(codeOf).join(' / ')
      assert.ok(['200, / 409,exercise_in_use', '422,validation_failed / 204,'].includes(outcome), outcome)
    }
  })

  test('an exercise is deleted or its plan activated, never both', async () => {
    const patient = await core.patient(clinic)
    for (let round = 0; round < ROUNDS; round += 1) {
      const hop = await plans.exercise(clinic, 'Hop')
      const { id } = await plans.written(clinic, patient.id, [hop])
      const [activated, deleted] = await Promise.all([plans.become(clinic.admin, id, 'active'), remove(hop)])
      const outcome = [activated, deleted].map(codeOf).join(' / ')
      assert.ok(['200, / 409,exercise_in_use', '409,exercises_unavailable / 204,'].includes(outcome), outcome)
    }
  })

  test('a condition recorded during activation either comes after it or blocks the plan', async () => {
    const condition = await plans.condition(clinic)
    const jump = await plans.exercise(clinic, 'Jump')
    await plans.contraindicate(jump, condition, 'contraindicated')
    for (let round = 0; round < ROUNDS; round += 1) {
      const patient = await core.patient(clinic)
      const [written, recorded] = await Promise.all([
        plans.write(clinic.admin, { patient_id: patient.id, title: 'Knee', sessions: [session([jump])] }),
        core.post(`/v1/patients/${patient.id}/conditions`, { as: clinic.admin, body: { condition_id: condition } }),
      ])
      assert.equal(recorded.status, 201)
      if (written.status !== 201) assert.deepEqual(codeOf(written), [409, 'contraindicated'])
      else assert.deepEqual(written.body.data.sessions[0].exercises[0].findings, [], 'the plan was there first')
    }
  })

  test('a contraindication added during activation either comes after it or blocks the plan', async () => {
    const condition = await plans.condition(clinic)
    for (let round = 0; round < ROUNDS; round += 1) {
      const patient = await core.patient(clinic)
      await plans.suffersFrom(clinic, patient.id, condition)
      const jump = await plans.exercise(clinic, 'Jump')
      const { id } = await plans.written(clinic, patient.id, [jump])
      const [activated, added] = await Promise.all([
        plans.become(clinic.admin, id, 'active'),
        core.post(`/v1/exercises/${jump}/contraindications`, {
          as: clinic.admin,
          body: { condition_id: condition, severity: 'contraindicated' },
        }),
      ])
      assert.equal(added.status, 201)
      if (activated.status !== 200) assert.deepEqual(codeOf(activated), [409, 'contraindicated'])
      else assert.deepEqual(activated.body.data.sessions[0].exercises[0].findings, [], 'the plan was there first')
    }
  })
})
