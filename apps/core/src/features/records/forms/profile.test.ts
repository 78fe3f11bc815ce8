import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Person } from '../../../testing/core.ts'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
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

  test('a private answer is not copied to a profile field that is not private', async () => {
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

  test('an unchanged answer does not overwrite what the clinic wrote meanwhile', async () => {
    const bearing = await textField('Weight bearing')
    const allergies = await textField('Allergies')
    await putProfile(bearing.key, 'full')
    const form = await newForm([tools.linked(bearing, { read_only: true }), tools.linked(allergies), MOOD])
    await tools.ok(tools.save(form.id, as, { [`field_${allergies.id}`]: 'none' }), 200)
    await putProfile(bearing.key, 'none: fracture')
    await putProfile(allergies.key, 'penicillin')
    const { values } = (await tools.read(form.id, as)).body.data
    assert.deepEqual(values, { [`field_${bearing.id}`]: 'full', [`field_${allergies.id}`]: 'none' })
    await tools.ok(tools.save(form.id, as, { ...values, field_mood: 'well' }), 200)
    const told = async () => [await tools.profileValue(patient, bearing), await tools.profileValue(patient, allergies)]
    assert.deepEqual(await told(), ['none: fracture', 'penicillin'])
    await tools.ok(tools.sign(form.id, clinic.admin), 200)
    const correction = await tools.form(clinic, patient, form.form_template_id, { amends_form_id: form.id })
    await tools.ok(tools.save(correction.id, clinic.admin, { ...correction.values, field_mood: 'very well' }), 200)
    assert.deepEqual(await told(), ['none: fracture', 'penicillin'])
    await tools.ok(tools.save(correction.id, clinic.admin, { [`field_${allergies.id}`]: 'nuts' }), 200)
    assert.deepEqual(await told(), ['none: fracture', 'nuts'])
  })

  test('clearing an answer clears the profile only if the profile still has that value', async () => {
    const allergies = await textField('Allergies')
    const form = await newForm([tools.linked(allergies), MOOD])
    const answer = (value: unknown) => tools.ok(tools.save(form.id, as, { [`field_${allergies.id}`]: value }), 200)
    await answer('dust')
    await answer(null)
    assert.equal(await tools.profileValue(patient, allergies), undefined)
    await answer('none')
    await putProfile(allergies.key, 'penicillin')
    await answer(null)
    assert.equal(await tools.profileValue(patient, allergies), 'penicillin')
  })

  test('a default that remains when the form is completed fills an empty profile, once', async () => {
    const allergies = await textField('Allergies')
    const fields = [tools.linked(allergies, { required: true, default: 'none known' }), { ...MOOD, required: true }]
    const form = await newForm(fields)
    assert.equal((await tools.save(form.id, as, {})).body.status, 'in_progress')
    assert.equal(await tools.profileValue(patient, allergies), undefined)
    assert.equal((await tools.save(form.id, as, { field_mood: 'well' })).body.status, 'completed')
    assert.equal(await tools.profileValue(patient, allergies), 'none known')
    await putProfile(allergies.key, null)
    await tools.ok(tools.save(form.id, as, { ...form.values, field_mood: 'better' }), 200)
    assert.equal(await tools.profileValue(patient, allergies), undefined, 'what the clinic took out stays out')
    const other = await newForm(fields)
    await putProfile(allergies.key, 'nuts')
    assert.equal((await tools.save(other.id, as, { field_mood: 'well' })).body.status, 'completed')
    assert.equal(await tools.profileValue(patient, allergies), 'nuts')
  })

  test('a form completed by a patient does not change read-only fields of the profile; by staff it does', async () => {
    const bearing = await textField('Weight bearing')
    const fields = [tools.linked(bearing, { read_only: true, default: 'full' }), { ...MOOD, required: true }]
    await tools.ok(tools.save((await newForm(fields)).id, as, { field_mood: 'well' }), 200)
    assert.equal(await tools.profileValue(patient, bearing), undefined)
    await tools.ok(tools.save((await newForm(fields)).id, clinic.admin, { field_mood: 'well' }), 200)
    assert.equal(await tools.profileValue(patient, bearing), 'full')
  })

  test('a form that changes the profile writes the audit entry and event of a profile change', async () => {
    const { patient: other, as: person } = await tools.person(clinic)
    const allergies = await textField('Allergies')
    const remarks = await textField('Remarks', { is_private: true })
    const template = await tools.template(clinic, [tools.linked(allergies), tools.linked(remarks), MOOD])
    const form = await tools.form(clinic, other, template)
    const answers = { [`field_${allergies.id}`]: 'none', [`field_${remarks.id}`]: 'x', field_mood: 'well' }
    await tools.ok(tools.save(form.id, clinic.admin, answers), 200)
    await tools.ok(tools.save(form.id, person, { [`field_${allergies.id}`]: 'nuts' }), 200)
    await tools.ok(tools.save(form.id, person, { [`field_${allergies.id}`]: 'nuts', field_mood: 'ill' }), 200)
    const log = await core.get(`/v1/audit-logs?action=patients.update_profile&target_id=${other.id}`, {
      as: clinic.admin,
    })
    assert.deepEqual(
      log.body.data.map(({ changes }: { changes: unknown }) => changes),
      [
        [{ field: allergies.key, before: 'none', after: 'nuts' }],
        [
          { field: allergies.key, before: null, after: 'none' },
          { field: remarks.key, before: null, after: 'x' },
        ],
      ],
    )
    const events = await core.database.query(
      `select 1 from outbox_events where type = 'patient.profile.updated' and payload ->> 'patient_id' = $1`,
      [other.id],
    )
    assert.equal(events.length, 2)
  })

  test('a profile value that is invalid for the field leaves it empty; the default is not used', async () => {
    const allergy = await tools.customField(clinic, { label: 'Allergy', options: ['None', 'Latex'] })
    await putProfile(allergy.key, 'Latex')
    await publishField(allergy.id, { options: ['None', 'Latex (type I)'] })
    const form = await newForm([tools.linked(allergy, { required: true, default: 'None' }), MOOD])
    assert.deepEqual(form.values, {})
    assert.equal((await tools.save(form.id, as, { field_mood: 'well' })).body.status, 'in_progress')
    assert.equal(await tools.profileValue(patient, allergy), 'Latex')
    await tools.ok(tools.save(form.id, as, { [`field_${allergy.id}`]: 'Latex (type I)' }), 200)
    assert.equal(await tools.profileValue(patient, allergy), 'Latex (type I)')
  })
})
