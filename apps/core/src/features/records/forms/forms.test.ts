import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { nextMonday, schedulingClinic } from '../../scheduling/clinic.testing.ts'
import { CIGARETTES, formTools, NOTE, type Patient, SMOKER, statusesOf } from './forms.testing.ts'

describe('forms', () => {
  let core: TestCore
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let patient: Patient
  let templateId: string
  before(async () => {
    core = await sharedCore()
    tools = formTools(core)
    clinic = await core.organization()
    patient = await core.patient(clinic)
    templateId = await tools.template(clinic, [SMOKER, CIGARETTES])
  })
  after(() => core.close())

  const newForm = (more: object = {}) => ({
    form_template_id: templateId,
    patient_profile_id: patient.profile_id,
    ...more,
  })

  test('a new form is pending, with the template’s fields, version and defaults', async () => {
    const id = await tools.template(clinic, [SMOKER, { ...CIGARETTES, default: 5 }], {
      title: 'Habits',
      translations: { ro: { title: 'Obiceiuri' } },
    })
    const { data } = await tools.ok(tools.create(clinic, newForm({ form_template_id: id })), 201)
    const { id: formId, created_at, version, ...rest } = data
    assert.equal(version, 1)
    assert.ok(created_at)
    assert.deepEqual(rest, {
      title: 'Habits',
      type: 'intake',
      status: 'pending',
      template_version: 1,
      form_template_id: id,
      appointment_id: null,
      patient_profile_id: patient.profile_id,
      amends_form_id: null,
      amended_by_form_id: null,
      amended_at: null,
      fields: [SMOKER, { ...CIGARETTES, default: 5 }],
      translations: { ro: { title: 'Obiceiuri' } },
      values: { field_cigarettes: 5 },
      files: {},
      consent_purposes: [],
      completed_at: null,
      signed_by: 'staff',
      signed_at: null,
      signed_by_principal_id: null,
      created_by_principal_id: clinic.admin.id,
    })
    assert.deepEqual((await tools.read(formId, clinic.admin)).body.data, data)
    assert.deepEqual(await tools.auditOf(formId), ['forms.create', 'forms.read'])
    assert.deepEqual(await tools.eventsOf(formId), ['form.created'])
  })

  test('linked fields are copied as last published, with the values of the profile', async () => {
    const blood = await tools.customField(clinic)
    const weight = await tools.customField(clinic, { label: 'Weight', field_type: 'number', options: undefined })
    const secret = await tools.customField(clinic, {
      label: 'Secret',
      field_type: 'text',
      options: undefined,
      is_private: true,
    })
    const id = await tools.template(clinic, [
      tools.linked(blood, { default: 'A', required: true }),
      tools.linked(weight, { default: 70, max: 200 }),
      tools.linked(secret),
    ])
    await tools.ok(
      core.put(`/v1/patients/${patient.id}/profile`, {
        as: clinic.admin,
        body: { [blood.key]: 'B', [weight.key]: 300, [secret.key]: 'x' },
      }),
      200,
    )
    await tools.ok(
      core.put(`/v1/custom-fields/${blood.id}`, { as: clinic.admin, body: { label: 'Group', options: ['B', '0'] } }),
      200,
    )
    const early = await tools.form(clinic, patient, id)
    assert.deepEqual(early.fields, [
      {
        ...tools.linked(blood, { default: 'A', required: true }),
        label: 'Blood type',
        options: ['A', 'B'],
        version: 1,
        field_type: 'select',
      },
      { ...tools.linked(weight, { default: 70, max: 200 }), label: 'Weight', version: 1, field_type: 'number' },
      { ...tools.linked(secret), label: 'Secret', private: true, version: 1, field_type: 'text' },
    ])
    assert.deepEqual(early.values, { [`field_${blood.id}`]: 'B', [`field_${secret.id}`]: 'x' }, '300 does not fit')
    await tools.ok(core.post(`/v1/custom-fields/${blood.id}/publish`, { as: clinic.admin }), 200)
    const late = await tools.form(clinic, patient, id)
    assert.deepEqual([late.fields[0].label, late.fields[0].options, late.fields[0].version], ['Group', ['B', '0'], 2])
    assert.deepEqual(
      (await tools.read(early.id, clinic.admin)).body.data,
      early,
      'the form made before stays as it was',
    )
  })

  test('later changes of template and fields affect only new forms', async () => {
    const blood = await tools.customField(clinic)
    const id = await tools.template(clinic, [tools.linked(blood), SMOKER])
    const made = await tools.form(clinic, patient, id)
    const unchanged = async (what: string) =>
      assert.deepEqual((await tools.read(made.id, clinic.admin)).body.data, made, what)
    const field = (rest = '') => `/v1/custom-fields/${blood.id}${rest}`
    const body = { title: 'Newer', type: 'survey', fields: [tools.linked(blood)] }
    await tools.ok(core.put(`/v1/form-templates/${id}`, { as: clinic.admin, body }), 200)
    assert.deepEqual((await tools.form(clinic, patient, id)).template_version, 1, 'a draft is not used')
    await tools.ok(core.post(`/v1/form-templates/${id}/publish`, { as: clinic.admin }), 200)
    await unchanged('template edited')
    const second = await tools.form(clinic, patient, id)
    assert.deepEqual(
      [second.template_version, second.title, second.type, second.fields.length],
      [2, 'Newer', 'survey', 1],
    )
    await tools.ok(core.put(field(), { as: clinic.admin, body: { options: ['0'] } }), 200)
    await tools.ok(core.post(field('/publish'), { as: clinic.admin }), 200)
    await tools.ok(core.post(field('/rollback'), { as: clinic.admin, body: { version: 1 } }), 200)
    assert.deepEqual((await tools.form(clinic, patient, id)).fields[0].options, ['0'], 'a rollback is a draft')
    await tools.ok(core.post(field('/publish'), { as: clinic.admin }), 200)
    const third = await tools.form(clinic, patient, id)
    assert.deepEqual([third.fields[0].version, third.fields[0].options], [3, ['A', 'B']])
    await unchanged('field edited and rolled back')
    await tools.ok(core.delete(field(), { as: clinic.admin }), 204)
    await unchanged('field deleted')
    const own = await tools.form(clinic, patient, id)
    assert.deepEqual(own.fields, [{ key: blood.key, label: 'Blood type', type: 'select', options: ['A', 'B'] }])
    await tools.ok(tools.save(own.id, clinic.admin, { [`field_${blood.key}`]: 'A' }), 200)
    await tools.ok(core.delete(`/v1/form-templates/${id}`, { as: clinic.admin }), 204)
    await unchanged('template deleted')
    const kept = await tools.save(made.id, clinic.admin, { [`field_${blood.id}`]: 'A', field_smoker: 'No' })
    assert.equal(kept.body.status, 'completed', 'and it can still be filled in; nothing is left to sync')
    assert.equal(await tools.profileValue(patient, blood), undefined)
  })

  test('unknown references in a body are all named (400 validation_error)', async () => {
    const other = await core.organization()
    const foreign = await core.patient(other)
    const gone = await core.patient(clinic)
    await tools.ok(core.delete(`/v1/patients/${gone.id}`, { as: clinic.admin }), 204)
    const foreignTemplate = await tools.template(other, [SMOKER])
    const archived = await tools.template(clinic, [SMOKER])
    await tools.ok(core.post(`/v1/form-templates/${archived}/archive`, { as: clinic.admin }), 200)
    const draft = (
      await core.post('/v1/form-templates', {
        as: clinic.admin,
        body: { title: 'x', type: 'survey', fields: [SMOKER] },
      })
    ).body.data.id
    for (const [more, fields] of [
      [{ form_template_id: randomUUID() }, ['form_template_id']],
      [{ form_template_id: foreignTemplate }, ['form_template_id']],
      [{ form_template_id: archived }, ['form_template_id']],
      [{ form_template_id: draft }, ['form_template_id']],
      [{ patient_profile_id: foreign.profile_id }, ['patient_profile_id']],
      [{ patient_profile_id: patient.id }, ['patient_profile_id']],
      [{ patient_profile_id: gone.profile_id }, ['patient_profile_id']],
      [{ appointment_id: randomUUID() }, ['appointment_id']],
      [{ amends_form_id: randomUUID() }, ['amends_form_id']],
      [
        { form_template_id: randomUUID(), patient_profile_id: randomUUID(), appointment_id: randomUUID() },
        ['appointment_id', 'form_template_id', 'patient_profile_id'],
      ],
      [{ patient_profile_id: 'x', organization_id: other.id }, ['organization_id', 'patient_profile_id']],
    ] as const) {
      const { status, body } = await tools.create(clinic, newForm(more))
      assert.deepEqual(
        [status, body.error.code, Object.keys(body.error.fields).sort()],
        [400, 'validation_error', fields],
        JSON.stringify(more),
      )
    }
  })

  test('an appointment is one of the patient’s, and the list includes it', async () => {
    const visits = await schedulingClinic(core)
    const visitor = await core.patient(visits)
    const form = { form_template_id: await tools.template(visits, [SMOKER]), patient_profile_id: visitor.profile_id }
    const { body } = await core.post('/v1/appointments', {
      as: visits.admin,
      body: {
        service_id: visits.service.id,
        specialist_id: visits.specialist.id,
        patient_id: visitor.id,
        starts_at: nextMonday().toISOString(),
      },
    })
    const { id: appointment_id, starts_at, status } = body.data
    const { id } = (await tools.ok(tools.create(visits, { ...form, appointment_id }), 201)).data
    const other = await core.patient(visits)
    const refused = await tools.create(visits, { ...form, patient_profile_id: other.profile_id, appointment_id })
    assert.deepEqual(Object.keys(refused.body.error.fields), ['appointment_id'])
    const list = await core.get(`/v1/forms?appointment_id=${appointment_id}&include=appointment`, { as: visits.admin })
    const appointment = { id: appointment_id, status, starts_at, service: { id: visits.service.id, name: 'Session' } }
    assert.deepEqual(
      list.body.data.map((row: { id: string; appointment: object }) => [row.id, row.appointment]),
      [[id, { ...appointment, patient_profile_id: visitor.profile_id }]],
    )
    const plain = await core.get(`/v1/forms?appointment_id=${appointment_id}`, { as: visits.admin })
    assert.ok(!('appointment' in plain.body.data[0]))
  })

  test('the list filters by status, type and patient, and counts beyond the last page', async () => {
    const own = await core.organization()
    const somebody = await core.patient(own)
    const [intake, survey] = [
      await tools.template(own, [SMOKER]),
      await tools.template(own, [SMOKER], { type: 'survey', title: 'Știri' }),
    ]
    const first = await tools.form(own, somebody, intake)
    const second = await tools.form(own, somebody, survey)
    const third = await tools.form(own, await core.patient(own), intake)
    await tools.ok(tools.save(second.id, own.admin, { field_smoker: 'No' }), 200)
    await tools.ok(tools.save(third.id, own.admin, {}), 200)
    const ids = async (query: string) =>
      (await tools.ok(core.get(`/v1/forms?${query}`, { as: own.admin }), 200)).data.map(({ id }: { id: string }) => id)
    assert.deepEqual(await ids(''), [third.id, second.id, first.id])
    assert.deepEqual(await ids('status=completed,in_progress'), [third.id, second.id])
    assert.deepEqual(await ids('status=pending,nonsense'), [first.id])
    assert.deepEqual(await ids('type=survey'), [second.id])
    assert.deepEqual(await ids(`patient_profile_id=${somebody.profile_id}&sort=created_at`), [first.id, second.id])
    assert.deepEqual(await ids(`form_template_id=${intake}`), [third.id, first.id])
    assert.deepEqual(await ids('q=stiri'), [second.id])
    assert.deepEqual((await core.get('/v1/forms?page=9&limit=2', { as: own.admin })).body, {
      data: [],
      pagination: { page: 9, limit: 2, total: 3 },
    })
    const [row] = (await core.get('/v1/forms?limit=1&status=completed', { as: own.admin })).body.data
    assert.deepEqual(
      [row.id, row.title, row.type, row.status, row.appointment_id, row.patient_profile_id],
      [second.id, 'Știri', 'survey', 'completed', null, somebody.profile_id],
    )
    assert.deepEqual(row.patient, { id: somebody.id, name: 'Maria Stan' })
    assert.ok(row.created_at && row.completed_at)
    assert.ok(!('values' in row))
  })

  test('patients see and list their own forms only, and nothing of private fields', async () => {
    const { patient: me, as } = await tools.person(clinic)
    const asked = {
      key: 'asked',
      label: 'Asked',
      type: 'text',
      section: 'Doctor',
      visible_when: { mode: 'all', conditions: [{ field_key: 'note', op: 'exists' }] },
    }
    const id = await tools.template(
      clinic,
      [SMOKER, { ...NOTE, section: 'Doctor' }, asked, { ...NOTE, key: 'scan', type: 'file' }],
      {
        translations: {
          ro: { sections: { Doctor: 'Doctor' }, fields: { note: { label: 'Părerea' }, smoker: { label: 'Fumați?' } } },
        },
      },
    )
    const mine = await tools.form(clinic, me, id)
    const others = await tools.form(clinic, patient, id)
    await tools.ok(tools.save(mine.id, clinic.admin, { field_note: 'Lazy' }), 200)
    await tools.ok(tools.save(mine.id, clinic.admin, { field_asked: 'Answer' }), 200)
    const seen = await tools.read(mine.id, as)
    assert.deepEqual(
      seen.body.data.fields.map(({ key }: { key: string }) => key),
      ['smoker', 'asked'],
    )
    assert.ok(!('visible_when' in seen.body.data.fields[1]))
    assert.deepEqual(seen.body.data.values, { field_asked: 'Answer' })
    assert.ok(!/note|Lazy|Părerea|scan|exists/.test(seen.text), seen.text)
    await tools.ok(tools.save(mine.id, clinic.admin, { field_note: null }), 200)
    const without = await tools.read(mine.id, as)
    assert.deepEqual(
      without.body.data.fields.map(({ key }: { key: string }) => key),
      ['smoker'],
    )
    assert.deepEqual(without.body.data.translations, { ro: { sections: {}, fields: { smoker: { label: 'Fumați?' } } } })
    const listed = await core.get('/v1/forms', { as })
    assert.deepEqual(
      [listed.body.data.map((row: { id: string }) => row.id), listed.body.pagination.total],
      [[mine.id], 1],
    )
    for (const answer of [
      await tools.read(others.id, as),
      await tools.save(others.id, as, {}),
      await core.get(`/v1/forms/${others.id}/verify`, { as }),
    ])
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'form_not_found'])
    assert.deepEqual(
      (await tools.auditOf(mine.id)).filter((action) => action === 'forms.read'),
      [],
      'one’s own reading is not logged',
    )
    for (const answer of [
      await tools.create(clinic, newForm(), as),
      await tools.sign(mine.id, as),
      await tools.remove(mine.id, as),
    ])
      assert.equal(answer.status, 403)
  })

  test('a private field that is deleted stays private in the forms made after', async () => {
    const { patient: me, as } = await tools.person(clinic)
    const secret = await tools.customField(clinic, { label: 'Suspicion', is_private: true })
    const id = await tools.template(clinic, [SMOKER, tools.linked(secret)])
    await tools.ok(core.delete(`/v1/custom-fields/${secret.id}`, { as: clinic.admin }), 204)
    const maker = await core.memberWith(clinic, ['forms.view_org', 'patients.view_org', 'forms.create'])
    const body = { form_template_id: id, patient_profile_id: me.profile_id }
    const { data } = await tools.ok(tools.create(clinic, body, maker), 201)
    assert.deepEqual(data.fields[1], {
      key: secret.key,
      label: 'Suspicion',
      type: 'select',
      options: ['A', 'B'],
      private: true,
    })
    assert.ok(!/Suspicion/.test((await tools.read(data.id, as)).text))
  })

  test('impersonation shows no private fields and cannot write', async () => {
    const { patient: me } = await tools.person(clinic)
    const { id } = await tools.form(clinic, me, await tools.template(clinic, [SMOKER, NOTE]))
    const body = { reason: 'The patient cannot find the form' }
    const { data } = await tools.ok(core.post(`/v1/patients/${me.id}/impersonate`, { as: clinic.admin, body }), 201)
    const seen = await core.get(`/v1/forms/${id}`, { as: { token: data.token } })
    assert.deepEqual([seen.status, seen.body.data.fields.length], [200, 1])
    const saved = await core.put(`/v1/forms/${id}`, { as: { token: data.token }, body: { values: {} } })
    assert.equal(saved.status, 403)
  })

  test('a member who is also the patient is the patient: private fields stay hidden', async () => {
    const specialist = await core.member(clinic, 'specialist')
    const me = await core.patient(clinic, specialist)
    const { id } = await tools.form(clinic, me, await tools.template(clinic, [SMOKER, NOTE]))
    assert.equal((await tools.read(id, specialist)).body.data.fields.length, 1)
    assert.deepEqual((await tools.save(id, specialist, { field_note: 'Healthy' })).body.error.fields, {
      'values.field_note': 'is not a field of this form',
    })
  })

  test('another clinic’s forms, unknown ones and those of deleted patients are not found (404 form_not_found)', async () => {
    const other = await core.organization()
    const mine = await core.patient(clinic)
    const { id } = await tools.form(clinic, mine, templateId)
    const tried = async (formId: string, as: typeof clinic.admin) => [
      await tools.read(formId, as),
      await tools.save(formId, as, { field_smoker: 'No' }),
      await tools.sign(formId, as),
      await tools.remove(formId, as),
      await core.get(`/v1/forms/${formId}/verify`, { as }),
    ]
    for (const answers of [await tried(id, other.admin), await tried(randomUUID(), clinic.admin)])
      for (const { status, body } of answers) assert.deepEqual([status, body.error.code], [404, 'form_not_found'])
    assert.equal(
      (await core.get(`/v1/forms/${id}`, { as: other.admin, headers: { 'x-organization-id': clinic.id } })).status,
      403,
    )
    await tools.ok(core.delete(`/v1/patients/${mine.id}`, { as: clinic.admin }), 204)
    const specialist = await core.member(clinic, 'specialist')
    for (const { status, body } of [
      await tools.read(id, specialist),
      await tools.save(id, specialist, {}),
      await tools.save(id, clinic.admin, {}),
    ])
      assert.deepEqual([status, body.error.code], [404, 'form_not_found'])
    assert.equal((await tools.read(id, clinic.admin)).status, 200, 'callers who may see deleted data see it')
  })

  test('each route needs its own permission (403 names the missing one)', async () => {
    const { id } = await tools.form(clinic, patient, templateId)
    const sight = ['forms.view_org', 'patients.view_org']
    const needs = async (
      codes: string[],
      required: string,
      call: (as: typeof clinic.admin) => Promise<{ status: number; body: { error?: { required?: string } } }>,
    ) => {
      const { status, body } = await call(await core.memberWith(clinic, codes))
      assert.deepEqual([status, body.error?.required], [403, required], codes.join())
    }
    await needs([], 'forms.view_org', (as) => core.get('/v1/forms', { as }))
    await needs(['forms.view_org'], 'patients.view_org', (as) => core.get('/v1/forms', { as }))
    await needs(['forms.view_org'], 'patients.view_org', (as) => tools.read(id, as))
    const sightOfDeleted = ['forms.view_org', 'data.view_deleted']
    await needs(sightOfDeleted, 'patients.view_org', (as) => tools.read(id, as))
    await needs(sightOfDeleted, 'patients.view_org', (as) => core.get(`/v1/forms/${id}/verify`, { as }))
    await needs(sight, 'forms.create', (as) => tools.create(clinic, newForm(), as))
    await needs(['forms.create'], 'forms.view_org', (as) => tools.create(clinic, newForm(), as))
    await needs(sight, 'forms.fill_own', (as) => tools.save(id, as, {}))
    await needs([...sight, 'forms.fill_own'], 'forms.fill_org', (as) => tools.save(id, as, {}))
    await needs(['forms.fill_own'], 'forms.view_org', (as) => tools.save(id, as, {}))
    await needs([...sight, 'forms.fill_own', 'forms.fill_org'], 'forms.sign', (as) => tools.sign(id, as))
    await needs([...sight, 'forms.fill_own', 'forms.fill_org'], 'forms.delete', (as) => tools.remove(id, as))
    const blood = await tools.customField(clinic)
    const linkedTemplate = await tools.template(clinic, [tools.linked(blood)])
    const maker = await core.memberWith(clinic, [...sight, 'forms.create', 'forms.fill_own'])
    const own = (await tools.ok(tools.create(clinic, newForm({ form_template_id: linkedTemplate }), maker), 201)).data
    await tools.ok(tools.save(own.id, maker, { [`field_${blood.id}`]: 'A' }), 200)
    assert.equal(await tools.profileValue(patient, blood), 'A')
  })

  test('a deleted form is gone; deleting leaves audit row and event', async () => {
    const { id } = await tools.form(clinic, patient, templateId)
    const answers = await Promise.all([1, 2, 3].map(() => tools.remove(id, clinic.admin)))
    assert.deepEqual(statusesOf(answers), [200, 404, 404])
    assert.deepEqual(answers.find(({ status }) => status === 200)?.body, { id, message: 'The form was deleted.' })
    assert.equal((await tools.read(id, clinic.admin)).status, 404)
    assert.deepEqual(await tools.auditOf(id), ['forms.create', 'forms.delete'])
    assert.deepEqual(await tools.eventsOf(id), ['form.created', 'form.deleted'])
  })

  test('while processing is restricted no form is made, saved, signed or deleted (409)', async () => {
    const restricted = await core.patient(clinic)
    const { id } = await tools.form(clinic, restricted, templateId)
    await tools.ok(tools.save(id, clinic.admin, { field_smoker: 'No' }), 200)
    await core.database.query('update patients set restricted_at = now() where id = $1', [restricted.id])
    for (const { status, body } of [
      await tools.create(clinic, newForm({ patient_profile_id: restricted.profile_id })),
      await tools.save(id, clinic.admin, { field_smoker: 'Yes' }),
      await tools.sign(id, clinic.admin),
      await tools.remove(id, clinic.admin),
    ])
      assert.deepEqual([status, body.error.code], [409, 'processing_restricted'])
    assert.equal((await tools.read(id, clinic.admin)).body.data.status, 'completed')
  })

  test('a repeated Idempotency-Key returns the same form', async () => {
    const send = () =>
      core.post('/v1/forms', { as: clinic.admin, body: newForm(), headers: { 'idempotency-key': 'once' } })
    const [first, second] = await Promise.all([send(), send()])
    assert.equal(first?.text, second?.text)
    assert.equal(first?.status, 201)
  })

  test('a replayed Idempotency-Key returns no form after the permission was revoked (403)', async () => {
    const maker = await core.memberWith(clinic, ['forms.view_org', 'patients.view_org', 'forms.create'])
    const send = () => core.post('/v1/forms', { as: maker, body: newForm(), headers: { 'idempotency-key': 'again' } })
    await tools.ok(send(), 201)
    await core.database.query(
      `delete from role_permissions where permission_code = 'patients.view_org' and role_id =
         (select role_id from organization_memberships where principal_id = $1)`,
      [maker.id],
    )
    assert.equal((await send()).body.error?.required, 'patients.view_org')
  })
})
