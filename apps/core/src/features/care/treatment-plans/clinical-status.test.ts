import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { fieldsOf, plansOf, type TestPlans } from './plans.testing.ts'

describe('status, stage and clearance of a condition', () => {
  let core: TestCore
  let plans: TestPlans
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    plans = plansOf(core)
    clinic = await core.organization()
  })
  after(() => core.close())

  /** A patient with a condition, and an exercise with an absolute contraindication for it. */
  async function against(holds: { stages?: readonly string[]; until_cleared_for?: string } = {}) {
    const patient = await core.patient(clinic)
    const condition = await plans.condition(null)
    const exercise = await plans.exercise(clinic, 'Jump')
    const id = await plans.contraindicate(exercise, condition, 'contraindicated')
    await core.database.query(
      'update exercise_contraindications set stages = $2, until_cleared_for = $3 where id = $1',
      [id, holds.stages ?? null, holds.until_cleared_for ?? null],
    )
    const recorded = await plans.suffersFrom(clinic, patient.id, condition)
    const path = `/v1/patients/${patient.id}/conditions/${recorded.id}`
    const change = async (body: object): Promise<Json> => {
      const answer = await core.patch(path, { as: clinic.admin, body })
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    return { patient, exercise, path, change, level: () => levelOf(patient, exercise) }
  }
  const findingsOf = async (patient: { id: string }, exercise: string): Promise<Json[]> => {
    const body = { patient_id: patient.id, exercise_ids: [exercise] }
    const answer = await core.post('/v1/treatment-plans/safety-check', { as: clinic.admin, body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data[0].findings
  }
  const levelOf = async (patient: { id: string }, exercise: string) =>
    (await findingsOf(patient, exercise)).map(({ level }) => level).join()

  test('a new condition is active, without stage and clearance; author and time of a clearance are recorded', async () => {
    const { patient, path, change } = await against()
    const [first] = (await core.get(`/v1/patients/${patient.id}/conditions`, { as: clinic.admin })).body.data
    assert.deepEqual(
      [first.status, first.stage, first.cleared_for, first.cleared_at, first.cleared_by_principal_id],
      ['active', null, [], null, null],
    )
    const specialist = await core.member(clinic, 'specialist')
    const cleared = await core.patch(path, { as: specialist, body: { cleared_for: ['load'], stage: 'strength' } })
    const { data } = cleared.body
    assert.deepEqual([data.cleared_for, data.stage], [['load'], 'strength'], cleared.text)
    assert.deepEqual(data.cleared_by_principal_id, specialist.id)
    assert.ok(Date.parse(data.cleared_at))
    assert.equal((await change({ note: 'Better.' })).data.cleared_at, data.cleared_at, 'other changes keep it')
    assert.equal((await change({ cleared_for: [] })).data.cleared_by_principal_id, null)
  })

  test('unknown values, and an author other than the caller, are refused (422)', async () => {
    const { path } = await against()
    for (const [field, value] of [
      ['status', 'gone'],
      ['stage', 'late'],
      ['cleared_for', ['everything']],
      ['cleared_by_principal_id', clinic.admin.id],
      ['cleared_at', '2026-01-01T00:00:00Z'],
    ] as const)
      assert.deepEqual(fieldsOf(await core.patch(path, { as: clinic.admin, body: { [field]: value } }))[0], 422, field)
  })

  test('a clearance lifts only contraindications that hold until that clearance', async () => {
    const { change, level } = await against({ until_cleared_for: 'full_load' })
    assert.equal(await level(), 'block')
    await change({ cleared_for: ['movement', 'load'] })
    assert.equal(await level(), 'block', 'cleared for less')
    await change({ cleared_for: ['full_load'] })
    assert.equal(await level(), '')
    await change({ cleared_for: [] })
    assert.equal(await level(), 'block')
    const always = await against()
    await always.change({ cleared_for: ['movement', 'stretching', 'load', 'full_load'] })
    assert.equal(await always.level(), 'block')
  })

  test('a contraindication for some stages holds in these stages, and while no stage is recorded', async () => {
    const { change, level } = await against({ stages: ['acute', 'subacute'] })
    assert.equal(await level(), 'block')
    for (const [stage, expected] of [
      ['subacute', 'block'],
      ['strength', ''],
      [null, 'block'],
    ] as const) {
      await change({ stage })
      assert.equal(await level(), expected, `${stage}`)
    }
  })

  test('a resolved condition lifts temporary contraindications; permanent ones become precautions', async () => {
    for (const [holds, expected] of [
      [{ until_cleared_for: 'load' }, ''],
      [{ stages: ['acute'] }, ''],
      [{}, 'notice'],
    ] as const) {
      const { change, level } = await against(holds)
      await change({ status: 'resolved' })
      assert.equal(await level(), expected, JSON.stringify(holds))
    }
  })

  test('contraindications of a past condition are precautions at most', async () => {
    for (const holds of [{}, { until_cleared_for: 'load' }]) {
      const { change, patient, exercise } = await against(holds)
      await change({ status: 'history' })
      const [finding] = await findingsOf(patient, exercise)
      assert.deepEqual(
        [finding?.level, finding?.severity, finding?.patient_condition.status],
        ['notice', 'precaution', 'history'],
      )
    }
  })

  test('a plan is blocked again when the condition becomes active again, with an event for it', async () => {
    const { patient, exercise, change } = await against({ until_cleared_for: 'load' })
    await change({ status: 'resolved' })
    const plan = await plans.given(clinic, patient.id, [exercise])
    const isBlocked = async () =>
      (await core.get(`/v1/treatment-plans?patient_id=${patient.id}`, { as: clinic.admin })).body.data[0].is_blocked
    assert.equal(await isBlocked(), false)
    const { affected_plans } = await change({ status: 'active' })
    assert.deepEqual(
      affected_plans.map(({ id }: Json) => id),
      [plan.id],
    )
    assert.equal(await isBlocked(), true)
    await change({ note: 'Still.' })
    const told = await core.database.query(
      `select 1 from outbox_events where type = 'treatment_plan.contraindicated' and payload ->> 'patient_id' = $1`,
      [patient.id],
    )
    assert.equal(told.length, 1, 'once, not with every change')
  })

  /** Conditions in a tree: group → a, b; a → kind. */
  async function family() {
    const [group, a, b, kind, stranger] = await Promise.all(
      ['Group', 'A', 'B', 'Kind of A', 'Stranger'].map((name) => plans.condition(null, name)),
    )
    assert.ok(group && a && b && kind && stranger)
    for (const [child, parent] of [
      [a, group],
      [b, group],
      [kind, a],
    ])
      await core.database.query('update taxonomy_tags set parent_id = $2 where id = $1', [child, parent])
    return { group, a, b, kind, stranger }
  }

  test('a contraindication holds for the condition and its descendants; broader terms and siblings require a reason', async () => {
    const conditions = await family()
    const exercise = await plans.exercise(clinic)
    await plans.contraindicate(exercise, conditions.a, 'contraindicated')
    for (const [name, expected] of [
      ['a', 'block'],
      ['kind', 'block'],
      ['group', 'reason'],
      ['b', 'reason'],
      ['stranger', ''],
    ] as const) {
      const patient = await core.patient(clinic)
      await plans.suffersFrom(clinic, patient.id, conditions[name])
      const [finding] = await findingsOf(patient, exercise)
      assert.equal(finding?.level ?? '', expected, name)
      if (finding) assert.equal(finding.contraindicated_condition.name, 'A')
    }
  })

  test('the safety check follows a clinic’s own condition to its parent in the platform’s list', async () => {
    const { a } = await family()
    const exercise = await plans.exercise(clinic)
    await plans.contraindicate(exercise, a, 'contraindicated')
    const body = { slug: `own-${a}`, name: 'Our name for A', parent_id: a }
    const created = await core.post('/v1/exercise-conditions', { as: clinic.admin, body })
    assert.equal(created.status, 201, created.text)
    const own = Object.values<Json>(created.body)[0]
    assert.equal(own?.parent_id, a)
    const patient = await core.patient(clinic)
    await plans.suffersFrom(clinic, patient.id, own?.id)
    assert.equal(await levelOf(patient, exercise), 'block')
    const stranger = await core.organization()
    const foreign = { slug: `other-${a}`, name: 'Other', parent_id: own?.id }
    assert.equal((await core.post('/v1/exercise-conditions', { as: stranger.admin, body: foreign })).status, 404)
  })
})
