import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import { formTools } from '../../records/forms/forms.testing.ts'
import { lastMonday, nextMonday, type SchedulingClinic, schedulingClinic } from '../../scheduling/clinic.testing.ts'
import { codeOf, documentTools } from '../documents.testing.ts'

describe('what a document says', () => {
  let core: TestCore
  let clinic: SchedulingClinic
  let tools: ReturnType<typeof documentTools>
  let hour = 8
  before(async () => {
    core = await sharedCore()
    tools = documentTools(core)
    clinic = await schedulingClinic(core, {
      name: 'Ședință de kinetoterapie',
      translations: { en: { name: 'Physiotherapy session' } },
    })
    await core.publishNotice(clinic)
  })
  after(() => core.close())

  const patientWith = (values: object) =>
    tools.ok(
      core.post('/v1/patients', { as: clinic.admin, body: { first_name: 'Maria', last_name: 'Stan', ...values } }),
    )
  async function visitOf(patient: { id: string }, status?: string): Promise<string> {
    hour += 1
    const { id } = await tools.ok(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: (status ? lastMonday(hour) : nextMonday(hour)).toISOString(),
          patient_id: patient.id,
          overlap_allowed: true,
        },
      }),
    )
    if (status) await core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status } })
    return id
  }
  const create = (visit: string, body: object = {}, as = clinic.admin) =>
    core.post(`/v1/appointments/${visit}/documents`, { as, body })
  const textOf = async (visit: string, body: object = {}, as = clinic.admin) =>
    tools.printed((await tools.ok(create(visit, body, as))).id, clinic.admin)

  test('letters name the service in their own language, for every role that creates documents', async () => {
    const visit = await visitOf(await patientWith({}))
    const clerk = await core.memberWith(clinic, ['documents.create', 'appointments.view_org', 'patients.view_org'])
    for (const as of [clinic.admin, clerk]) {
      assert.match(await textOf(visit, { language: 'en' }, as), /Physiotherapy session/)
      assert.match(await textOf(visit, { language: 'ro' }, as), /Ședință de kinetoterapie/)
    }
    const { body } = await core.get(`/v1/appointments/${visit}?include=service`, { as: clinic.admin })
    assert.deepEqual(body.data.service, {
      id: clinic.service.id,
      name: 'Ședință de kinetoterapie',
      translations: { en: { name: 'Physiotherapy session' } },
    })
  })

  test('letters and certificates carry dates with the weekday, and the specialist with title and number', async () => {
    const path = `/v1/specialists/${clinic.specialist.id}`
    const values = { title: 'Fizioterapeut', registration_number: 'B 12345' }
    assert.equal((await core.put(path, { as: clinic.admin, body: values })).status, 200)
    const patient = await patientWith({})
    const [letter, visit] = [await visitOf(patient), await visitOf(patient, 'checked_in')]
    const dayOf = (at: Date, locale: string) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'Europe/Bucharest' }).format(at)
    const clerk = await core.memberWith(clinic, ['documents.create', 'appointments.view_org', 'patients.view_org'])
    for (const [language, locale, number, weekday] of [
      ['en', 'en-GB', 'registration no. B 12345', 'Monday'],
      ['ro', 'ro-RO', 'nr. de înregistrare B 12345', 'luni'],
    ] as const) {
      const document = await tools.ok(create(letter, { language }, clerk))
      const text = await tools.printed(document.id, clinic.admin)
      const issued = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'Europe/Bucharest' })
      const certificate = await textOf(visit, { language, kind: 'attendance_certificate' }, clerk)
      for (const part of [
        weekday,
        dayOf(nextMonday(), locale),
        issued.format(new Date(document.created_at)),
        `Fizioterapeut, ${number}`,
      ])
        assert.ok(text.includes(part), `${part} in ${text}`)
      for (const part of [dayOf(lastMonday(), locale), `Fizioterapeut, ${number}`])
        assert.ok(certificate.includes(part), `${part} in ${certificate}`)
    }
    const none = { title: null, registration_number: null }
    assert.equal((await core.put(path, { as: clinic.admin, body: none })).status, 200)
    assert.doesNotMatch(await textOf(letter, { language: 'en' }), /registration/)
  })

  test('what is not known is not mentioned: neither a date of birth nor a telephone number', async () => {
    const visit = await visitOf(await patientWith({}), 'checked_in')
    const certificate = await textOf(visit, { kind: 'attendance_certificate', language: 'en' })
    assert.match(certificate, /certifies that Maria Stan attended an appointment/)
    assert.doesNotMatch(certificate, /born|–/)
    assert.match(
      await textOf(visit, { kind: 'attendance_certificate', language: 'ro' }),
      /adeverește că Maria Stan a fost prezent/,
    )
    assert.match(await textOf(visit, { language: 'en' }), /please call us\./)
    const born = await visitOf(await patientWith({ birth_date: '1984-03-09' }), 'checked_in')
    assert.match(
      await textOf(born, { kind: 'attendance_certificate', language: 'en' }),
      /Maria Stan, born on 9 March 1984, attended/,
    )
  })

  test('a table has no column for a value that is not known', async () => {
    const forms = formTools(core)
    const template = await forms.template(clinic, [{ key: 'pain', label: 'Pain?', type: 'text' }])
    const printForm = async (values: object) => {
      const { patient_profile_id } = await patientWith(values)
      const { id } = await tools.ok(
        core.post('/v1/forms', { as: clinic.admin, body: { form_template_id: template, patient_profile_id } }),
      )
      await forms.save(id, clinic.admin, { field_pain: 'No' })
      const document = await tools.ok(core.post(`/v1/forms/${id}/render`, { as: clinic.admin, body: {} }))
      return tools.printed(document.id, clinic.admin)
    }
    assert.doesNotMatch(await printForm({}), /Date of birth/)
    assert.match(await printForm({ birth_date: '1984-03-09' }), /Date of birth.*9 March 1984/)
  })

  test('names in Arabic and Hebrew are printed', async () => {
    for (const [first_name, letters] of [
      ['محمد', /م/],
      ['שלום', /ש/],
    ] as const) {
      const text = await textOf(await visitOf(await patientWith({ first_name })))
      assert.match(text, letters)
      assert.doesNotMatch(text, /\?/)
    }
  })

  test('a character that cannot be printed is refused with its field, and nothing is stored (422 unprintable_character)', async () => {
    const visit = await visitOf(await patientWith({ first_name: '李明' }))
    const before = (await core.get('/v1/appointment-documents', { as: clinic.admin })).body.pagination.total
    const { status, body } = await create(visit, { language: 'en' })
    assert.equal(status, 422)
    const { code, character, code_point, field, message } = body.error
    assert.deepEqual([code, character, code_point, field], ['unprintable_character', '李', 'U+674E', 'patient.name'])
    assert.match(message, /"李" \(U\+674E\), found in patient\.name/)
    const after = (await core.get('/v1/appointment-documents', { as: clinic.admin })).body.pagination.total
    assert.equal(after, before)
    assert.equal(body.error.message.includes('明'), false)
  })

  test('a character in an answer is named by its question, one in a template by its block', async () => {
    const forms = formTools(core)
    const { patient } = await forms.person(clinic)
    const template = await forms.template(clinic, [{ key: 'pain', label: 'Where is the pain?', type: 'text' }])
    const { id } = await forms.form(clinic, patient, template)
    await forms.save(id, clinic.admin, { field_pain: 'knee 🦵' })
    const answer = await core.post(`/v1/forms/${id}/render`, { as: clinic.admin, body: {} })
    assert.deepEqual(codeOf(answer), [422, 'unprintable_character'])
    assert.deepEqual([answer.body.error.character, answer.body.error.field], ['🦵', 'Where is the pain?'])
    const blocks = [{ type: 'text', text: 'Hello 👋' }]
    const preview = await core.post('/v1/pdf-templates/preview', {
      as: clinic.admin,
      body: { kind: 'form', language: 'en', blocks },
    })
    assert.deepEqual(codeOf(preview), [422, 'unprintable_character'])
    assert.equal(preview.body.error.field, 'blocks.0.text')
  })

  test('a character that the document does not print refuses nothing', async () => {
    const visit = await visitOf(await patientWith({ notes: '李' }))
    assert.equal((await create(visit)).status, 201)
  })
})
