import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { CIGARETTES, formTools, NOTE, type Patient, SMOKER, statusesOf } from './forms.testing.ts'

const text = (key: string, more: object = {}) => ({ key, label: key, type: 'text', ...more })

describe('saving a form', () => {
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

  const newForm = async (fields: object[], of = patient) => tools.form(clinic, of, await tools.template(clinic, fields))
  const save = (id: string, values: unknown, as = clinic.admin) => tools.save(id, as, values)
  const valuesOf = async (id: string) => (await tools.read(id, clinic.admin)).body.data.values

  async function refused(id: string, values: unknown, as = clinic.admin): Promise<Record<string, string>> {
    const { status, body, text: answer } = await save(id, values, as)
    assert.deepEqual([status, body.error?.code], [400, 'validation_error'], answer)
    return body.error.fields
  }

  test('pending becomes in_progress while a required field is empty, else completed', async () => {
    const { id } = await newForm([SMOKER, CIGARETTES, text('comment')])
    assert.deepEqual((await save(id, { field_comment: 'x' })).body, {
      id,
      status: 'in_progress',
      completed_at: null,
      version: 2,
    })
    assert.equal((await save(id, { field_smoker: 'Yes' })).body.status, 'in_progress')
    const done = (await save(id, { field_cigarettes: 5 })).body
    assert.equal(done.status, 'completed')
    const again = (await save(id, { field_cigarettes: 6 })).body
    assert.deepEqual([again.status, again.completed_at >= done.completed_at], ['completed', true])
    assert.deepEqual(await valuesOf(id), { field_comment: 'x', field_smoker: 'Yes', field_cigarettes: 6 })
    assert.deepEqual(await tools.eventsOf(id), ['form.created', 'form.submitted'])
    assert.equal((await save((await newForm([text('a')])).id, {})).body.status, 'completed', 'nothing is required')
  })

  test('a hidden required field is not required, and its answer is not kept by a completed form', async () => {
    const { id } = await newForm([SMOKER, CIGARETTES])
    await tools.ok(save(id, { field_smoker: 'Yes', field_cigarettes: 9 }), 200)
    assert.equal((await save(id, { field_smoker: 'No' })).body.status, 'completed')
    assert.deepEqual(await valuesOf(id), { field_smoker: 'No' })
    assert.deepEqual(await refused(id, { field_cigarettes: 3 }), {
      'values.field_cigarettes': 'is hidden by the other answers',
    })
    await tools.ok(save(id, { field_cigarettes: null }), 200)
  })

  test('a completed form stays complete: a change that empties a required field is refused (400)', async () => {
    const { id } = await newForm([SMOKER, CIGARETTES, text('name', { required: true })])
    await tools.ok(save(id, { field_smoker: 'No', field_name: 'Ana' }), 200)
    for (const nothing of [null, '', '  '])
      assert.deepEqual(Object.keys(await refused(id, { field_name: nothing })), ['values.field_name'])
    assert.deepEqual(await refused(id, { field_smoker: 'Yes' }), {
      'values.field_cigarettes': 'is required: the form is completed',
    })
    assert.deepEqual(await valuesOf(id), { field_smoker: 'No', field_name: 'Ana' })
    assert.equal((await save(id, { field_smoker: 'Yes', field_cigarettes: 1 })).body.status, 'completed')
  })

  test('every invalid answer is named, and nothing is saved', async () => {
    const { id } = await newForm([
      SMOKER,
      text('name', { min_length: 2, max_length: 4 }),
      text('card', { pattern: '[A-Z]{2}[0-9]+' }),
      { key: 'day', label: 'Day', type: 'date', min: '2026-01-01' },
      { key: 'age', label: 'Age', type: 'number', max: 120 },
      { key: 'pets', label: 'Pets', type: 'checkbox', options: ['cat', 'dog'] },
      { key: 'mail', label: 'Mail', type: 'email' },
      { key: 'phone', label: 'Phone', type: 'phone' },
      { key: 'scan', label: 'Scan', type: 'file' },
      text('good'),
    ])
    const bad = {
      smoker: 'Maybe',
      name: 'Anastasia',
      card: 'x1',
      day: '2025-12-31',
      age: 121,
      pets: ['cow'],
      mail: 'nobody',
      phone: 'x',
      scan: 'x',
      unknown: 1,
    }
    const given = {
      ...Object.fromEntries(Object.entries(bad).map(([key, value]) => [`field_${key}`, value])),
      field_good: 'x',
      smoker: 'Yes',
    }
    assert.deepEqual(
      Object.keys(await refused(id, given)).sort(),
      [...Object.keys(bad).map((key) => `values.field_${key}`), 'values.smoker'].sort(),
    )
    for (const wrong of [
      { field_name: 5 },
      { field_age: '5' },
      { field_pets: 'cat' },
      { field_pets: ['cat', 'cat'] },
      { field_smoker: ['Yes'] },
      { field_day: '2026-02-30' },
      { field_name: {} },
    ])
      assert.deepEqual(Object.keys(await refused(id, wrong)), [`values.${Object.keys(wrong)[0]}`])
    const form = (await tools.read(id, clinic.admin)).body.data
    assert.deepEqual([form.values, form.status], [{}, 'pending'])
    for (const body of [{}, { values: [] }, { values: null }, { values: {}, status: 'signed' }]) {
      const answer = await core.put(`/v1/forms/${id}`, { as: clinic.admin, body })
      assert.deepEqual([answer.status, answer.body.error.code], [400, 'validation_error'])
    }
    const good = {
      field_name: 'Ana',
      field_card: 'RX1',
      field_day: '2026-01-01',
      field_age: 0,
      field_pets: ['dog'],
      field_mail: 'a@b.ro',
      field_phone: '+40 722 555 010',
    }
    assert.equal((await save(id, good)).body.status, 'in_progress')
    assert.deepEqual(await valuesOf(id), good)
  })

  test('omitted answers stay; null, blank text and an empty list clear', async () => {
    const { id } = await newForm([
      SMOKER,
      text('a'),
      text('b'),
      { key: 'pets', label: 'Pets', type: 'checkbox', options: ['cat'] },
    ])
    await tools.ok(save(id, { field_a: 'x', field_b: 'y', field_pets: ['cat'] }), 200)
    await tools.ok(save(id, { field_a: null, field_pets: [] }), 200)
    assert.deepEqual(await valuesOf(id), { field_b: 'y' })
    await tools.ok(save(id, { field_b: '' }), 200)
    assert.deepEqual(await valuesOf(id), {})
  })

  test('linked answers are copied to the patient’s profile; null clears there too; hidden ones are not copied', async () => {
    const blood = await tools.customField(clinic)
    const note = await tools.customField(clinic, { label: 'Note', field_type: 'text', options: undefined })
    const asked = { visible_when: CIGARETTES.visible_when }
    const { id } = await newForm([SMOKER, tools.linked(blood), tools.linked(note, asked)])
    const [ofBlood, ofNote] = [`field_${blood.id}`, `field_${note.id}`]
    await tools.ok(save(id, { [ofBlood]: 'A', field_smoker: 'Yes', [ofNote]: 'x' }), 200)
    assert.deepEqual([await tools.profileValue(patient, blood), await tools.profileValue(patient, note)], ['A', 'x'])
    await tools.ok(save(id, { [ofBlood]: null, field_smoker: 'No', [ofNote]: null }), 200)
    assert.deepEqual(
      [await tools.profileValue(patient, blood), await tools.profileValue(patient, note)],
      [undefined, 'x'],
    )
    const jobs = await core.database.query(`select 1 from graphile_worker.jobs where key like '%' || $1 || '%'`, [
      patient.id,
    ])
    assert.ok(jobs.length > 0, 'segments are evaluated again')
  })

  test('an answer to a field that was deleted meanwhile stays in the form only', async () => {
    const blood = await tools.customField(clinic)
    const { id } = await newForm([tools.linked(blood), SMOKER])
    const [deleted, ...saved] = await Promise.all([
      core.delete(`/v1/custom-fields/${blood.id}`, { as: clinic.admin }),
      ...['A', 'B', 'A'].map((value) => save(id, { [`field_${blood.id}`]: value })),
    ])
    assert.deepEqual([deleted?.status, statusesOf(saved)], [204, [200, 200, 200]])
    await tools.ok(save(id, { [`field_${blood.id}`]: 'B' }), 200)
    assert.equal((await valuesOf(id))[`field_${blood.id}`], 'B')
    assert.equal(await tools.profileValue(patient, blood), undefined)
  })

  test('a patient fills in their own form, but neither private nor read-only fields', async () => {
    const { patient: me, as } = await tools.person(clinic)
    const fixed = text('fixed', { read_only: true, default: 'set' })
    const blood = await tools.customField(clinic)
    const secret = await tools.customField(clinic, {
      label: 'Secret',
      field_type: 'text',
      options: undefined,
      is_private: true,
    })
    const form = await newForm(
      [SMOKER, { ...NOTE, required: true }, fixed, tools.linked(blood), tools.linked(secret)],
      me,
    )
    assert.deepEqual(await refused(form.id, { field_note: 'x', field_fixed: 'y', [`field_${secret.id}`]: 'z' }, as), {
      'values.field_note': 'is not a field of this form',
      'values.field_fixed': 'can only be changed by the clinic',
      [`values.field_${secret.id}`]: 'is not a field of this form',
    })
    const { values } = (await tools.read(form.id, as)).body.data
    const done = await save(form.id, { ...values, field_smoker: 'No', [`field_${blood.id}`]: 'B' }, as)
    assert.equal(done.body.status, 'in_progress', 'the doctor’s note is open; what comes back unchanged is no offence')
    assert.equal(await tools.profileValue(me, blood), 'B')
    await tools.ok(save(form.id, { field_fixed: 'changed', field_note: 'Fine' }), 200)
    const { data } = await tools.ok(tools.read(form.id, as), 200)
    assert.deepEqual([data.status, data.values.field_fixed], ['completed', 'changed'])
    const kept = await tools.read(form.id, clinic.admin)
    assert.equal(kept.body.data.values.field_note, 'Fine')
  })

  test('a save of an older version is refused with the answers that the caller may see (409 stale_version)', async () => {
    const { patient: owned, as: person } = await tools.person(clinic)
    const { id } = await newForm([SMOKER, NOTE], owned)
    await tools.ok(save(id, { field_smoker: 'No', field_note: 'SECRET OPINION' }), 200)
    const late = (as: typeof person) =>
      core.put(`/v1/forms/${id}`, { as, body: { values: { field_smoker: 'Yes' }, version: 1 } })
    const [own, staff] = [await late(person), await late(clinic.admin)]
    assert.deepEqual([own.status, own.body.error?.code, own.body.error?.current_version], [409, 'stale_version', 2])
    assert.deepEqual(own.body.error.current.values, { field_smoker: 'No' })
    assert.doesNotMatch(own.text, /SECRET|doctor thinks/)
    assert.deepEqual(staff.body.error.current.values, { field_smoker: 'No', field_note: 'SECRET OPINION' })
  })

  test('a patient learns nothing of private fields, not even that one is empty', async () => {
    const { patient: me, as } = await tools.person(clinic)
    const form = await newForm([SMOKER, { ...NOTE, required: true, visible_when: CIGARETTES.visible_when }], me)
    await tools.ok(save(form.id, { field_smoker: 'No' }, as), 200)
    const fields = await refused(form.id, { field_smoker: 'Yes' }, as)
    assert.deepEqual(Object.keys(fields), ['values'])
    assert.ok(!/note/.test(JSON.stringify(fields)))
  })

  test('a field made private after the form was created is hidden from the patient, also in corrections', async () => {
    const { patient: me, as } = await tools.person(clinic)
    const blood = await tools.customField(clinic)
    const ofBlood = `field_${blood.id}`
    const form = await newForm([tools.linked(blood), text('mood')], me)
    await tools.ok(save(form.id, { [ofBlood]: 'A' }, as), 200)
    await tools.ok(core.put(`/v1/custom-fields/${blood.id}`, { as: clinic.admin, body: { is_private: true } }), 200)
    await tools.ok(core.post(`/v1/custom-fields/${blood.id}/publish`, { as: clinic.admin }), 200)
    await tools.ok(save(form.id, { [ofBlood]: 'B' }), 200)
    const hidden = async (id: string) => {
      const seen = await tools.read(id, as)
      assert.deepEqual(
        seen.body.data.fields.map(({ key }: { key: string }) => key),
        ['mood'],
      )
      assert.ok(!seen.text.includes(blood.id) && !seen.text.includes(blood.key), seen.text)
      assert.deepEqual(await refused(id, { [ofBlood]: 'A' }, as), {
        [`values.${ofBlood}`]: 'is not a field of this form',
      })
      await tools.ok(save(id, { field_mood: 'well' }, as), 200)
    }
    await hidden(form.id)
    assert.equal(await tools.profileValue(me, blood), 'B')
    await tools.ok(tools.sign(form.id, clinic.admin), 200)
    const correction = await tools.form(clinic, me, form.form_template_id, { amends_form_id: form.id })
    assert.deepEqual([correction.fields[0].private, correction.values[ofBlood]], [true, 'B'])
    await tools.ok(save(correction.id, { [ofBlood]: 'A' }), 200)
    await hidden(correction.id)
    await tools.ok(core.delete(`/v1/custom-fields/${blood.id}`, { as: clinic.admin }), 204)
    for (const id of [form.id, correction.id]) assert.ok(!(await tools.read(id, as)).text.includes(blood.id))
    assert.equal((await tools.read(form.id, clinic.admin)).body.data.values[ofBlood], 'B')
    assert.equal((await tools.verify(form.id, clinic.admin)).valid, true, 'the signed form itself is as it was')
  })

  test('the author of a form needs forms.fill_own to fill it in, also as a patient of the clinic (403)', async () => {
    const maker = await core.memberWith(clinic, ['forms.view_org', 'patients.view_org', 'forms.create'])
    await core.acceptAll(await core.patient(clinic, maker))
    const templateId = await tools.template(clinic, [SMOKER])
    const body = { form_template_id: templateId, patient_profile_id: patient.profile_id }
    const { id } = (await tools.ok(tools.create(clinic, body, maker), 201)).data
    assert.equal((await save(id, { field_smoker: 'No' }, maker)).body.error?.required, 'forms.fill_org')
    assert.deepEqual(await tools.eventsOf(id), ['form.created'])
  })

  test('parallel saves of different fields lose none, and complete the form once', async () => {
    const keys = Array.from({ length: 8 }, (_, place) => `f${place}`)
    const blood = await tools.customField(clinic)
    const { id } = await newForm([...keys.map((key) => text(key, { required: true })), tools.linked(blood)])
    const answers = await Promise.all([
      ...keys.map((key) => save(id, { [`field_${key}`]: key })),
      save(id, { [`field_${blood.id}`]: 'A' }),
    ])
    assert.deepEqual(
      statusesOf(answers),
      answers.map(() => 200),
    )
    const form = (await tools.read(id, clinic.admin)).body.data
    assert.deepEqual(form.values, {
      ...Object.fromEntries(keys.map((key) => [`field_${key}`, key])),
      [`field_${blood.id}`]: 'A',
    })
    assert.equal(form.status, 'completed')
    assert.deepEqual(await tools.eventsOf(id), ['form.created', 'form.submitted'])
    const audited = await tools.auditOf(id)
    assert.equal(audited.filter((action) => action === 'forms.update').length, 9)
  })
})
