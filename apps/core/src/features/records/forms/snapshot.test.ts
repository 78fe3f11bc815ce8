import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { formTools, type Patient } from './forms.testing.ts'

describe('forms made after a custom field changed', () => {
  let core: TestCore
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let patient: Patient
  before(async () => {
    core = await sharedCore()
    tools = formTools(core)
    clinic = await core.organization()
    patient = await core.patient(clinic)
  })
  after(() => core.close())

  const radio = (label: string, options: string[]) => tools.customField(clinic, { label, field_type: 'radio', options })
  const publishField = async (id: string, body: object) => {
    await tools.ok(core.put(`/v1/custom-fields/${id}`, { as: clinic.admin, body }), 200)
    await tools.ok(core.post(`/v1/custom-fields/${id}/publish`, { as: clinic.admin }), 200)
  }
  const publish = (templateId: string) => core.post(`/v1/form-templates/${templateId}/publish`, { as: clinic.admin })
  const create = (templateId: string) =>
    tools.create(clinic, { form_template_id: templateId, patient_profile_id: patient.profile_id })

  test('a new label is shown without the translations of the old one, until the template is published again', async () => {
    const pain = await radio('Pain: 1 is none, 2 is strong', ['1', '2'])
    const mood = { key: 'mood', label: 'Mood', type: 'text' }
    const words = { label: 'Durere: 1 este deloc, 2 este puternică', help_text: 'Acum', options: { 1: 'Deloc' } }
    const translations = { ro: { title: 'Chestionar', fields: { [pain.key]: words, mood: { label: 'Dispoziție' } } } }
    const template = await tools.template(clinic, [tools.linked(pain, { help_text: 'Now' }), mood], { translations })
    assert.deepEqual((await tools.form(clinic, patient, template)).translations, translations)
    await publishField(pain.id, { label: 'Mobility: 1 is none, 2 is full' })
    const form = await tools.form(clinic, patient, template)
    assert.equal(form.fields[0].label, 'Mobility: 1 is none, 2 is full')
    assert.deepEqual(form.translations, {
      ro: { title: 'Chestionar', fields: { [pain.key]: { help_text: 'Acum' }, mood: { label: 'Dispoziție' } } },
    })
    assert.deepEqual((await publish(template)).body.data.version, 2)
    assert.equal((await publish(template)).body.error.code, 'nothing_to_publish')
    assert.deepEqual((await tools.form(clinic, patient, template)).translations, translations)
  })

  test('options that existed before keep their translations', async () => {
    const side = await radio('Side', ['Left', 'Right'])
    const words = { label: 'Partea', options: { Left: 'Stânga', Right: 'Dreapta' } }
    const template = await tools.template(clinic, [tools.linked(side)], {
      translations: { ro: { fields: { [side.key]: words } } },
    })
    await publishField(side.id, { options: ['Both', 'Left'] })
    assert.deepEqual((await tools.form(clinic, patient, template)).translations, {
      ro: { fields: { [side.key]: { label: 'Partea', options: { Left: 'Stânga' } } } },
    })
  })

  test('a condition on a removed option blocks new forms until the template is corrected (409 form_template_outdated)', async () => {
    const pacemaker = await radio('Pacemaker?', ['Yes', 'No'])
    const fields = (option: string) => [
      tools.linked(pacemaker, { required: true }),
      {
        key: 'which',
        label: 'Which one?',
        type: 'text',
        required: true,
        visible_when: { mode: 'all', conditions: [{ field_key: pacemaker.key, op: 'eq', value: option }] },
      },
    ]
    const template = await tools.template(clinic, fields('Yes'))
    await publishField(pacemaker.id, { options: ['Implanted', 'No'] })
    const refused = await create(template)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'form_template_outdated'])
    const place = 'fields.1.visible_when.conditions.0.value'
    assert.deepEqual(refused.body.error.fields, { [place]: 'must be one of Implanted, No' })
    assert.deepEqual(Object.keys((await publish(template)).body.error.fields), [place])
    const body = { title: 'Intake', type: 'intake', fields: fields('Implanted') }
    await tools.ok(core.put(`/v1/form-templates/${template}`, { as: clinic.admin, body }), 200)
    assert.equal((await create(template)).status, 409, 'a draft is not used')
    await tools.ok(publish(template), 200)
    const form = await tools.form(clinic, patient, template)
    const saved = await tools.save(form.id, clinic.admin, { [`field_${pacemaker.id}`]: 'Implanted' })
    assert.equal(saved.body.status, 'in_progress', 'the follow-up is asked')
  })
})
