import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { plansOf, session } from '../features/care/treatment-plans/plans.testing.ts'
import { type Json, type Person, sharedCore, type TestCore } from '../testing/core.ts'

type Clinic = Awaited<ReturnType<TestCore['organization']>>

describe('usage of a row before its deletion', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function made(clinic: Clinic, path: string, body: unknown): Promise<Json> {
    const answer = await core.post(path, { as: clinic.admin, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data ?? answer.body
  }
  async function usage(as: Person, path: string): Promise<Json> {
    const answer = await core.get(`${path}/usage`, { as })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const shown = ({ uses }: Json) => uses.map(({ kind, consequence, count }: Json) => [kind, consequence, count])
  const UNUSED = { is_used: false, is_deletable: true, uses: [] }

  test('a custom field: its values, form templates and segments, with names for callers who may see them', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const field = await made(clinic, '/v1/custom-fields', {
      entity_type: 'patient',
      key: 'sport',
      label: 'Sport',
      field_type: 'text',
    })
    const path = `/v1/custom-fields/${field.id}`
    assert.deepEqual(await usage(clinic.admin, path), UNUSED)
    const patient = await core.patient(clinic)
    await core.put(`/v1/patients/${patient.id}/profile`, { as: clinic.admin, body: { sport: 'Judo' } })
    const fields = [{ key: 'sport', type: 'text', label: 'Sport', custom_field_id: field.id }]
    await made(clinic, '/v1/form-templates', { title: 'Intake', type: 'intake', fields })
    const rules = [{ source: 'profile', custom_field_id: field.id, op: 'is_set' }]
    const segment = await made(clinic, '/v1/segments', { name: 'Athletes', match_mode: 'all', rules })
    const found = await usage(clinic.admin, path)
    assert.deepEqual(shown(found), [
      ['custom_field_values', 'deleted', 1],
      ['form_templates', 'kept', 1],
      ['segments', 'broken', 1],
    ])
    assert.deepEqual([found.is_used, found.is_deletable], [true, true])
    assert.deepEqual(found.uses[2].items, [{ id: segment.id, name: 'Athletes' }])
    const editor = await core.memberWith(clinic, ['custom_fields.manage', 'custom_fields.view'])
    const seen = await usage(editor, path)
    assert.deepEqual([shown(seen), seen.uses[2].items], [shown(found), []], 'counted, not named')
    const viewer = await core.memberWith(clinic, ['custom_fields.view'])
    assert.equal((await core.get(`${path}/usage`, { as: viewer })).status, 403)
    assert.equal((await core.get(`${path}/usage`, { as: (await core.organization()).admin })).status, 404)
    assert.equal((await core.delete(path, { as: clinic.admin })).status, 204, 'deleting asks for nothing')
  })

  test('a form template: the services that use it for intake', async () => {
    const clinic = await core.organization()
    const fields = [{ key: 'q', type: 'text', label: 'Q' }]
    const template = await made(clinic, '/v1/form-templates', { title: 'Intake', type: 'intake', fields })
    const path = `/v1/form-templates/${template.id}`
    assert.deepEqual(await usage(clinic.admin, path), UNUSED)
    await made(clinic, '/v1/services', {
      name: 'Visit',
      slug: 'visit',
      duration_minutes: 30,
      intake_form_template_id: template.id,
    })
    assert.deepEqual(shown(await usage(clinic.admin, path)), [['services', 'broken', 1]])
  })

  test('a program: the plans copied from it are kept', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const exercise = await plansOf(core).exercise(clinic)
    const program = await made(clinic, '/v1/programs', { name: 'Knees', sessions: [session([exercise])] })
    const path = `/v1/programs/${program.id}`
    assert.deepEqual(await usage(clinic.admin, path), UNUSED)
    const body = { patient_id: patient.id, title: 'Plan', program_id: program.id }
    const plan = await made(clinic, '/v1/treatment-plans', body)
    const found = await usage(clinic.admin, path)
    assert.deepEqual([shown(found), found.is_deletable], [[['treatment_plans', 'kept', 1]], true])
    assert.deepEqual(found.uses[0].items, [{ id: plan.id, name: 'Plan' }])
    assert.equal((await core.get(`${path}/usage`, { as: (await core.organization()).admin })).status, 404)
  })

  test('a PDF template: the documents made from it are kept', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const blocks = [{ type: 'text', text: 'For {{patient.name}}' }]
    const letter = { name: 'Plan', kind: 'treatment_plan', language: 'en', blocks }
    const { id } = await made(clinic, '/v1/pdf-templates', letter)
    const path = `/v1/pdf-templates/${id}`
    assert.equal((await core.post(`${path}/publish`, { as: clinic.admin })).status, 200)
    assert.deepEqual(await usage(clinic.admin, path), UNUSED)
    const exercise = await plansOf(core).exercise(clinic)
    const plan = await made(clinic, '/v1/treatment-plans', {
      patient_id: patient.id,
      title: 'Plan',
      sessions: [session([exercise])],
    })
    await core.put(`/v1/treatment-plans/${plan.id}/status`, { as: clinic.admin, body: { status: 'active' } })
    await made(clinic, `/v1/treatment-plans/${plan.id}/render`, { language: 'en' })
    const found = await usage(clinic.admin, path)
    assert.deepEqual([shown(found), found.uses[0].items], [[['documents', 'kept', 1]], []])
    assert.equal((await core.get(`${path}/usage`, { as: (await core.organization()).admin })).status, 404)
  })

  test('an exercise: an active plan blocks the deletion, also in DELETE; programs with it are listed as broken', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const exercise = await plansOf(core).exercise(clinic)
    const path = `/v1/exercises/${exercise}`
    await made(clinic, '/v1/programs', { name: 'Knees', sessions: [session([exercise])] })
    assert.deepEqual(shown(await usage(clinic.admin, path)), [['programs', 'broken', 1]])
    const plan = await made(clinic, '/v1/treatment-plans', {
      patient_id: patient.id,
      title: 'Plan',
      sessions: [session([exercise])],
    })
    assert.deepEqual((await usage(clinic.admin, path)).is_deletable, true)
    const activated = await core.put(`/v1/treatment-plans/${plan.id}/status`, {
      as: clinic.admin,
      body: { status: 'active' },
    })
    assert.equal(activated.status, 200, activated.text)
    const found = await usage(clinic.admin, path)
    assert.deepEqual([shown(found)[0], found.is_deletable], [['treatment_plans', 'blocks', 1], false])
    assert.equal((await core.delete(path, { as: clinic.admin })).body.error.code, 'exercise_in_use')
  })

  test('a category: exercises lose it and its children become top-level; other clinics are not counted', async () => {
    const [clinic, operator] = [await core.organization(), await core.superadmin()]
    const category = await made(clinic, '/v1/exercise-categories', { slug: 'own', name: 'Own' })
    await made(clinic, '/v1/exercise-categories', { slug: 'child', name: 'Child', parent_id: category.id })
    await made(clinic, '/v1/exercises', { name: 'Squat', slug: 'squat', category_ids: [category.id] })
    assert.deepEqual(shown(await usage(clinic.admin, `/v1/exercise-categories/${category.id}`)), [
      ['exercises', 'unlinked', 1],
      ['tags', 'unlinked', 1],
    ])
    const shared = await core.post('/v1/exercise-equipment', {
      as: operator,
      body: { slug: `ball-${randomUUID()}`, name: 'Ball' },
    })
    const { id } = shared.body.data
    await made(clinic, '/v1/exercises', { name: 'Throw', slug: 'throw', equipment_ids: [id] })
    assert.deepEqual(shown(await usage(operator, `/v1/exercise-equipment/${id}`)), [['exercises', 'unlinked', 1]])
    const other = await core.organization()
    assert.deepEqual(await usage(other.admin, `/v1/exercise-equipment/${id}`), UNUSED)
  })
})
