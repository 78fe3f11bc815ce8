import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { formTools } from '../forms/forms.testing.ts'

const CNP = '2840309410017'
const SPACED = '2 840309 410017'

/** "Never lands in a value row": neither by a field that asks for it, nor by one that asks for something else. */
describe('the national identification number', () => {
  let core: TestCore
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    tools = formTools(core)
    clinic = await core.organization()
  })
  after(() => core.close())

  const field = (values: object) => tools.customField(clinic, { label: 'Remark', options: undefined, ...values })
  const valuesOf = (entityId: string) =>
    core.database.query('select value from custom_field_values where entity_id = $1', [entityId])

  test('the national identification number is asked for by no field, however its name is written (400)', async () => {
    for (const [key, label, ...named] of [
      ['c_n_p', 'C.N.P.', 'key', 'label'],
      ['a', 'Introduceți C.N.P.', 'label'],
      ['b', 'pacientCNP', 'label'],
      ['c', 'Număr personal de identificare', 'label'],
    ]) {
      const body = { entity_type: 'patient', key, label, field_type: 'text' }
      const answer = await core.post('/v1/custom-fields', { as: clinic.admin, body })
      assert.equal(answer.status, 400, label)
      assert.deepEqual(
        answer.body.details.errors.map((one: { field: string }) => one.field),
        named,
      )
    }
  })

  test('the national identification number is asked for by no translation of a form’s question, also of one that a custom field asks (400)', async () => {
    const remark = await field({ field_type: 'text' })
    const answer = await core.post('/v1/form-templates', {
      as: clinic.admin,
      body: {
        title: 'Intake',
        type: 'intake',
        fields: [tools.linked(remark)],
        translations: { ro: { fields: { [remark.key]: { label: 'C.N.P.' } } } },
      },
    })
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(Object.keys(answer.body.error.fields), [`translations.ro.fields.${remark.key}.label`])
  })

  test('the national identification number is refused as the value of another field of a profile, with a hint where it belongs (400)', async () => {
    const patient = await core.patient(clinic)
    const [text, number] = [await field({ field_type: 'textarea' }), await field({ field_type: 'number' })]
    const put = (body: object) => core.put(`/v1/patients/${patient.id}/profile`, { as: clinic.admin, body })
    for (const [key, value] of [
      [text.key, CNP],
      [text.key, SPACED],
      [number.key, Number(CNP)],
    ] as const) {
      const answer = await put({ [key]: value, national_id: CNP })
      assert.equal(answer.status, 400, answer.text)
      const [problem, ...more] = answer.body.details.errors
      assert.deepEqual([problem.field, more], [key, []])
      assert.match(problem.message, /"national_id" of the patient’s profile/)
      assert.ok(!answer.text.includes(CNP))
    }
    assert.deepEqual(await valuesOf(patient.id), [])
    assert.equal((await put({ [text.key]: '2840309410018', national_id: CNP })).status, 200)
    assert.deepEqual(await valuesOf(patient.id), [{ value: '2840309410018' }])
  })

  test('the national identification number is refused as the answer of a form, and so never synced to the profile (400)', async () => {
    const patient = await core.patient(clinic)
    const remark = await field({ field_type: 'text' })
    const own = { key: 'words', label: 'In your words', type: 'textarea' }
    const form = await tools.form(clinic, patient, await tools.template(clinic, [tools.linked(remark), own]))
    const given = { [`field_${remark.id}`]: SPACED, field_words: CNP }
    const answer = await tools.save(form.id, clinic.admin, given)
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(
      Object.keys(answer.body.error.fields),
      Object.keys(given).map((key) => `values.${key}`),
    )
    assert.deepEqual((await tools.read(form.id, clinic.admin)).body.data.values, {})
    assert.equal(await tools.profileValue(patient, remark), undefined)
  })
})
