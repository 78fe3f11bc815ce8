import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { plansOf } from '../../care/treatment-plans/plans.testing.ts'
import { CIGARETTES, formTools, NOTE, type Patient, SMOKER } from '../../records/forms/forms.testing.ts'
import { lastMonday, nextMonday, type SchedulingClinic, schedulingClinic } from '../../scheduling/clinic.testing.ts'
import { codeOf, documentTools } from '../documents.testing.ts'

describe('documents', () => {
  let core: TestCore
  let clinic: SchedulingClinic & { roles: Record<string, string> }
  let forms: ReturnType<typeof formTools>
  let tools: ReturnType<typeof documentTools>
  let patient: Patient
  let person: Person
  let templateId: string
  before(async () => {
    core = await sharedCore()
    forms = formTools(core)
    tools = documentTools(core)
    clinic = await schedulingClinic(core)
    ;({ patient, as: person } = await forms.person(clinic))
    templateId = await forms.template(clinic, [SMOKER, CIGARETTES, NOTE], {
      translations: {
        ro: { title: 'Chestionar', fields: { smoker: { label: 'Fumați?', options: { Yes: 'Da', No: 'Nu' } } } },
      },
    })
  })
  after(() => core.close())

  async function completedForm(values: object = { field_smoker: 'No', field_note: 'SECRET OPINION' }) {
    const { id } = await forms.form(clinic, patient, templateId)
    assert.equal((await forms.save(id, clinic.admin, values)).status, 200)
    return id as string
  }
  const render = (form: string, body?: object, as = clinic.admin) => core.post(`/v1/forms/${form}/render`, { as, body })
  const appointment = async (values: object = {}) =>
    tools.ok(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: nextMonday().toISOString(),
          patient_id: patient.id,
          ...values,
        },
      }),
    )
  const cancel = (id: string) =>
    core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status: 'cancelled' } })
  const documentsOf = (id: string, body?: object) =>
    core.post(`/v1/appointments/${id}/documents`, { as: clinic.admin, body })

  test('a completed form is printed with its answers, and without private fields, in both languages', async () => {
    const form = await completedForm()
    const document = await tools.ok(render(form))
    assert.deepEqual(
      [document.kind, document.form_id, document.patient_profile_id, document.template_version, document.pages],
      ['form', form, patient.profile_id, 0, 1],
    )
    const text = await tools.printed(document.id, clinic.admin)
    for (const part of ['Clinica Test', 'Intake', 'Maria Stan', 'Do you smoke?', 'No'])
      assert.ok(text.includes(part), part)
    for (const part of ['SECRET', 'What the doctor thinks', 'How many a day?']) assert.ok(!text.includes(part), part)
    const romanian = await tools.ok(render(form, { language: 'ro' }))
    assert.match(await tools.printed(romanian.id, clinic.admin), /Chestionar.*Fumați\? Nu/)
  })

  test('the same input gives the same row and bytes; a changed answer gives another document', async () => {
    const form = await completedForm()
    const answers = await Promise.all([render(form), render(form), render(form)])
    const ids = new Set(answers.map(({ body }) => body.data.id))
    assert.equal(ids.size, 1)
    const again = await tools.ok(render(form))
    assert.ok(ids.has(again.id))
    const bytes = await tools.fileOf(again.id, clinic.admin)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), again.sha256)
    assert.equal(bytes.length, again.size)
    await forms.save(form, clinic.admin, { field_smoker: 'Yes', field_cigarettes: 3 })
    const changed = await tools.ok(render(form))
    assert.ok(!ids.has(changed.id))
    // The document contains no private answers.
    await forms.save(form, clinic.admin, { field_note: 'Another opinion' })
    assert.equal((await tools.ok(render(form))).id, changed.id)
  })

  test('a field that became private later is in no document', async () => {
    const field = await forms.customField(clinic, { field_type: 'text', options: null, label: 'Later private' })
    const template = await forms.template(clinic, [forms.linked(field)])
    const { id } = await forms.form(clinic, patient, template)
    await forms.save(id, clinic.admin, { [`field_${field.id}`]: 'VISIBLE NOW' })
    assert.match(await tools.printed((await tools.ok(render(id))).id, clinic.admin), /VISIBLE NOW/)
    const path = `/v1/custom-fields/${field.id}`
    assert.equal((await core.put(path, { as: clinic.admin, body: { is_private: true } })).status, 200)
    assert.equal((await core.post(`${path}/publish`, { as: clinic.admin })).status, 200)
    const after = await tools.printed((await tools.ok(render(id))).id, clinic.admin)
    assert.doesNotMatch(after, /VISIBLE NOW|Later private/)
  })

  test('a form that is not complete is refused (409 form_not_completed)', async () => {
    const { id } = await forms.form(clinic, patient, templateId)
    assert.deepEqual(codeOf(await render(id)), [409, 'form_not_completed'])
  })

  test('a signed form is printed with its certificate: signer, time and seal', async () => {
    const form = await completedForm()
    assert.equal((await forms.sign(form, clinic.admin)).status, 200)
    const { seal } = await forms.verify(form, clinic.admin)
    const text = await tools.printed((await tools.ok(render(form))).id, clinic.admin)
    assert.match(text, /Signature certificate/)
    assert.ok(text.replaceAll(' ', '').includes(seal), text)
    assert.ok(text.includes(clinic.admin.name) && text.replaceAll(' ', '').includes(form))
  })

  test('a form that was corrected says so in its certificate', async () => {
    const form = await completedForm()
    assert.equal((await forms.sign(form, clinic.admin)).status, 200)
    const { form_template_id } = (await forms.read(form, clinic.admin)).body.data
    const correction = await forms.form(clinic, patient, form_template_id, { amends_form_id: form })
    await forms.save(correction.id, clinic.admin, {})
    assert.equal((await forms.sign(correction.id, clinic.admin)).status, 200)
    const text = await tools.printed((await tools.ok(render(form))).id, clinic.admin)
    assert.match(text, /Corrected at \(UTC\)/)
    assert.ok(text.replaceAll(' ', '').includes(correction.id), text)
    const printed = await tools.printed((await tools.ok(render(correction.id))).id, clinic.admin)
    assert.doesNotMatch(printed, /Corrected at/)
  })

  test('a value that looks like markup prints as itself', async () => {
    const hostile = '#set page(width: 1cm) $x^2$ *b* #read("/etc/passwd") {{clinic.name}}'
    const template = await forms.template(clinic, [{ key: 'free', label: '= #pagebreak()', type: 'textarea' }])
    const { id } = await forms.form(clinic, patient, template)
    await forms.save(id, clinic.admin, { field_free: hostile })
    const document = await tools.ok(render(id))
    assert.equal(document.pages, 1)
    const text = await tools.printed(document.id, clinic.admin)
    assert.ok(text.includes(hostile) && text.includes('= #pagebreak()'), text)
  })

  test('a letter contains time, service and specialist; a published template replaces the built-in one', async () => {
    const { id } = await appointment()
    const built = await tools.ok(documentsOf(id))
    assert.deepEqual([built.kind, built.appointment_id, built.pdf_template_id], ['appointment_letter', id, null])
    assert.match(await tools.printed(built.id, clinic.admin), /Maria Stan.*Session.*Ana/)
    const template = await tools.ok(
      core.post('/v1/pdf-templates', {
        as: clinic.admin,
        body: {
          name: 'Scrisoare',
          kind: 'appointment_letter',
          language: 'ro',
          blocks: [
            { type: 'heading', level: 2, text: 'Bună ziua, {{patient.name}}' },
            { type: 'table', columns: ['Data'], rows: [['{{appointment.date}}']] },
            { type: 'qr', text: '{{document.verification_url}}' },
          ],
        },
      }),
    )
    const asked = { pdf_template_id: template.id }
    assert.deepEqual(codeOf(await documentsOf(id, asked)), [409, 'template_not_published'])
    await tools.ok(core.post(`/v1/pdf-templates/${template.id}/publish`, { as: clinic.admin }), 200)
    const own = await tools.ok(documentsOf(id, { language: 'ro' }))
    assert.deepEqual([own.pdf_template_id, own.template_version, own.language], [template.id, 1, 'ro'])
    const text = await tools.printed(own.id, clinic.admin)
    assert.match(text, /Bună ziua, Maria Stan/)
    assert.ok(text.includes(own.verification_code))
    const wrong = await core.post(`/v1/forms/${await completedForm()}/render`, { as: clinic.admin, body: asked })
    assert.deepEqual(codeOf(wrong), [422, 'wrong_template_kind'])
    await cancel(id)
  })

  test('a certificate of attendance needs an appointment that took place', async () => {
    const certificate = { kind: 'attendance_certificate' }
    const arrive = (id: string) =>
      core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status: 'checked_in' } })
    const early = await appointment({ starts_at: nextMonday(12).toISOString() })
    assert.equal((await arrive(early.id)).status, 200)
    assert.deepEqual(codeOf(await documentsOf(early.id, certificate)), [409, 'appointment_not_started'])
    const { id } = await appointment({ starts_at: lastMonday(12).toISOString() })
    assert.deepEqual(codeOf(await documentsOf(id, certificate)), [409, 'appointment_not_attended'])
    await arrive(id)
    const document = await tools.ok(documentsOf(id, certificate))
    assert.match(await tools.printed(document.id, clinic.admin), /certifies that Maria Stan/)
  })

  test('a cancelled appointment gets no letter (409)', async () => {
    const { id } = await appointment({ starts_at: nextMonday(13).toISOString() })
    await cancel(id)
    assert.deepEqual(codeOf(await documentsOf(id)), [409, 'appointment_cancelled'])
  })

  test('a treatment plan is printed with exercises in the requested language; a draft is refused', async () => {
    const plans = plansOf(core)
    const exercise = await plans.exercise(clinic, 'Squat', { translations: { ro: { name: 'Genuflexiune' } } })
    const plan = await plans.written(clinic, patient.id, [{ exercise_id: exercise, sets: 3, reps: 12 }])
    const renderPlan = (body?: object) => core.post(`/v1/treatment-plans/${plan.id}/render`, { as: clinic.admin, body })
    assert.deepEqual(codeOf(await renderPlan()), [409, 'treatment_plan_is_draft'])
    assert.equal((await plans.become(clinic.admin, plan.id, 'active')).status, 200)
    assert.match(
      await tools.printed((await tools.ok(renderPlan())).id, clinic.admin),
      /Monday.*Exercise How much How to do it Squat 3 sets × 12 repetitions Stand/,
    )
    const romanian = await tools.ok(renderPlan({ language: 'ro' }))
    assert.match(
      await tools.printed(romanian.id, clinic.admin),
      /Exercițiu Cât Cum se face Genuflexiune 3 serii × 12 repetări Stați/,
    )
  })

  test('patients list and download their own documents; other patients and clinics get 404', async () => {
    const document = await tools.ok(render(await completedForm({ field_smoker: 'Yes', field_cigarettes: 7 })))
    const stranger = (await forms.person(clinic)).as
    const other = await core.organization()
    const mine = await core.get('/v1/appointment-documents', { as: person })
    assert.ok(mine.body.data.some(({ id }: { id: string }) => id === document.id))
    assert.ok((await tools.fileOf(document.id, person)).length > 0)
    for (const as of [stranger, other.admin]) {
      assert.equal((await core.get('/v1/appointment-documents', { as })).body.pagination.total, 0)
      for (const path of ['', '/download'])
        assert.deepEqual(codeOf(await core.get(`/v1/appointment-documents/${document.id}${path}`, { as })), [
          404,
          'document_not_found',
        ])
    }
    assert.deepEqual(codeOf(await render(document.form_id, {}, person)), [403, 'forbidden'])
    assert.deepEqual(codeOf(await render(document.form_id, {}, other.admin)), [404, 'form_not_found'])
    const viewer = await core.memberWith(clinic, ['forms.view_org', 'patients.view_org'])
    assert.deepEqual(codeOf(await core.get('/v1/appointment-documents', { as: viewer })), [403, 'forbidden'])
  })

  test('creation and download are audited, and creation publishes an event that contains only ids', async () => {
    const document = await tools.ok(render(await completedForm({ field_smoker: 'Yes', field_cigarettes: 9 })))
    await tools.fileOf(document.id, clinic.admin)
    assert.deepEqual(await forms.auditOf(document.id), ['documents.create', 'documents.download'])
    const [event] = await core.database.query<{ payload: Record<string, unknown> }>(
      `select payload from outbox_events where type = 'document.created' and payload ->> 'document_id' = $1`,
      [document.id],
    )
    assert.deepEqual(Object.keys(event?.payload ?? {}).sort(), [
      'appointment_id',
      'document_id',
      'form_id',
      'kind',
      'patient_id',
      'patient_profile_id',
      'treatment_plan_id',
    ])
    assert.equal(event?.payload.patient_id, patient.id)
  })

  test('no document is created for a patient whose processing is restricted', async () => {
    const form = await completedForm({ field_smoker: 'Yes', field_cigarettes: 11 })
    const restrict = (restricted: boolean) =>
      core.post('/v1/gdpr/restrict', {
        as: clinic.admin,
        body: { patient_id: patient.id, restricted, reason: 'Asked for in writing' },
      })
    assert.equal((await restrict(true)).status, 200)
    assert.deepEqual(codeOf(await render(form)), [409, 'processing_restricted'])
    await restrict(false)
    await tools.ok(render(form))
  })

  test('a repeated request with its Idempotency-Key gives the same answer', async () => {
    const form = await completedForm({ field_smoker: 'Yes', field_cigarettes: 13 })
    const headers = { 'idempotency-key': `render-${form}` }
    const send = () => core.post(`/v1/forms/${form}/render`, { as: clinic.admin, headers })
    assert.equal((await send()).text, (await send()).text)
  })

  test('documents.view_org alone shows documents of appointments, not those of forms', async () => {
    const form = await tools.ok(render(await completedForm()))
    const { id } = await appointment({ starts_at: nextMonday(15).toISOString() })
    const letter = await tools.ok(documentsOf(id))
    const clerk = await core.memberWith(clinic, ['documents.view_org', 'patients.view_org'])
    const reader = await core.memberWith(clinic, ['documents.view_org', 'patients.view_org', 'forms.view_org'])
    const path = (of: { id: string }) => `/v1/appointment-documents/${of.id}`
    assert.deepEqual(codeOf(await core.get(path(form), { as: clerk })), [404, 'document_not_found'])
    assert.equal((await tools.download(form.id, clerk)).status, 404)
    const listed = (await core.get('/v1/appointment-documents?limit=500', { as: clerk })).body.data
    assert.ok(listed.every(({ kind }: { kind: string }) => kind !== 'form' && kind !== 'treatment_plan'))
    assert.equal((await core.get(path(letter), { as: clerk })).status, 200)
    assert.equal((await core.get(path(form), { as: reader })).status, 200)
    await cancel(id)
  })
})
