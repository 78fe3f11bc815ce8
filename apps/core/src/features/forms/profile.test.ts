import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Person } from '../../testing.ts'
import { sharedCore, type TestCore } from '../../testing.ts'
import type { TestOrganization } from '../../testing-people.ts'
import { formTools, type Patient } from './forms.testing.ts'

const MOOD = { key: 'mood', label: 'How do you feel?', type: 'text' }

describe('forms and the patient’s profile', () => {
  let core: TestCore
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let patient: Patient
  let as: Person
  before(async () => {
    core = await sharedCore()
    tools = formTools(core)
    clinic = await core.organization()
    ;({ patient, as } = await tools.person(clinic))
  })
  after(() => core.close())

  const textField = (label: string, more: object = {}) =>
    tools.customField(clinic, { label, field_type: 'text', options: undefined, ...more })
  const newForm = async (fields: object[], more: object = {}) =>
    tools.form(clinic, patient, await tools.template(clinic, fields), more)
  const putProfile = (key: string, value: unknown) =>
    tools.ok(core.put(`/v1/patients/${patient.id}/profile`, { as: clinic.admin, body: { [key]: value } }), 200)
  const publishField = async (id: string, body: object) => {
    await tools.ok(core.put(`/v1/custom-fields/${id}`, { as: clinic.admin, body }), 200)
    await tools.ok(core.post(`/v1/custom-fields/${id}/publish`, { as: clinic.admin }), 200)
  }
  const profileSeenByPatient = async () => (await core.get(`/v1/patients/${patient.id}/profile`, { as })).text

  test('what is private in a form does not reach a profile in which it is not', async () => {
    const remarks = await textField('Remarks', { is_private: true })
    const form = await newForm([tools.linked(remarks, { private: true }), MOOD])
    await tools.ok(tools.save(form.id, clinic.admin, { [`field_${remarks.id}`]: 'written in private' }), 200)
    assert.equal(await tools.profileValue(patient, remarks), 'written in private')
    await putProfile(remarks.key, 'fit to be read')
    await publishField(remarks.id, { is_private: false })
    await tools.ok(tools.save(form.id, clinic.admin, { [`field_${remarks.id}`]: 'private still' }), 200)
    const later = await tools.form(clinic, patient, form.form_template_id)
    await tools.ok(tools.save(later.id, clinic.admin, { [`field_${remarks.id}`]: 'private still' }), 200)
    assert.equal(await tools.profileValue(patient, remarks), 'fit to be read')
    assert.match(await profileSeenByPatient(), /fit to be read/)
  })
})
