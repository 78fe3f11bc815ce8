import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow, checkPrivate, tabTo } from './browser.ts'
import type { TestClinic } from './people.ts'
import { nameOf, picture, VIEWS } from './views.ts'
import { SKIPPED, useWorld } from './world.ts'

const FIELDS = [
  { key: 'complaint', label: 'What brings you here?', type: 'textarea', required: true, section: 'You' },
  { key: 'contact', label: 'E-mail of a relative', type: 'email', section: 'You' },
  { key: 'smoker', label: 'Do you smoke?', type: 'radio', options: ['Yes', 'No'], required: true, section: 'Habits' },
  {
    key: 'cigarettes',
    label: 'How many a day?',
    type: 'number',
    required: true,
    min: 1,
    section: 'Habits',
    visible_when: { mode: 'all', conditions: [{ field_key: 'smoker', op: 'eq', value: 'Yes' }] },
  },
  { key: 'referral', label: 'Referral letter', type: 'file', allowed_file_types: ['application/pdf'] },
  { key: 'opinion', label: 'What the doctor thinks', type: 'textarea', private: true },
]
const TRANSLATIONS = {
  ro: {
    title: 'Chestionar',
    fields: {
      complaint: { label: 'Ce vă aduce aici?' },
      smoker: { label: 'Fumați?', options: { Yes: 'Da', No: 'Nu' } },
      cigarettes: { label: 'Câte pe zi?' },
    },
  },
}
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

describe('portal: forms', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function formFor(clinic: TestClinic, patientProfileId: string, details: object = {}): Promise<{ id: string }> {
    const template = await world.api.post('/v1/form-templates', clinic.admin, {
      title: 'Intake',
      type: 'intake',
      fields: FIELDS,
      ...('fields' in details ? {} : { translations: TRANSLATIONS }),
      ...details,
    })
    await world.api.post(`/v1/form-templates/${template.id}/publish`, clinic.admin, {})
    return world.api.post('/v1/forms', clinic.admin, {
      form_template_id: template.id,
      patient_profile_id: patientProfileId,
    })
  }

  async function setUp() {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic, { last: 'Bradeanu' })
    const form = await formFor(clinic, record.patient_profile_id)
    return { clinic, email, form }
  }

  for (const view of VIEWS) {
    const ro = view.language === 'ro'

    test(`a form is filled in, saved while typing, resumed and finished (${nameOf(view)})`, async () => {
      const { clinic, email, form } = await setUp()
      const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/forms`, ...view })
      await page.getByRole('link', { name: ro ? /Chestionar/ : /Intake/ }).waitFor()
      await world.check(page)
      await picture(page, 'forms', view)
      await page.getByRole('link', { name: ro ? /Chestionar/ : /Intake/ }).click()
      await page.getByRole('heading', { level: 1, name: ro ? 'Chestionar' : 'Intake' }).waitFor()
      assert.equal(await page.getByText('What the doctor thinks').count(), 0)
      await world.check(page)
      await checkNarrow(page)
      await page.getByRole('button', { name: ro ? 'Terminați' : 'Finish' }).click()
      await page.locator('textarea[name]:focus').waitFor()
      await world.check(page)
      await page.locator('textarea[name]').fill('The knee hurts on stairs.')
      await page.locator('[type=email]').fill('half@')
      await page.getByRole('radio', { name: ro ? 'Da' : 'Yes', exact: true }).check()
      await page.getByText(ro ? /^Nesalvat: E-mail of a relative\./ : /^Not saved: E-mail of a relative\./).waitFor()
      assert.equal(await page.getByText(ro ? 'Salvat' : 'Saved', { exact: true }).count(), 0)
      await world.check(page)
      await picture(page, 'form', view)
      const stored = await world.api.get(`/v1/forms/${form.id}`, email)
      assert.deepEqual(stored.values, { field_complaint: 'The knee hurts on stairs.', field_smoker: 'Yes' })
      await page.locator('[type=email]').fill('')
      await page.locator('input[type=file]').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: PDF })
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'letter.pdf', mimeType: 'application/pdf', buffer: PDF })
      await page.getByRole('button', { name: /letter\.pdf/ }).waitFor()
      await page.reload()
      await page.getByText('The knee hurts on stairs.').waitFor()
      await page.getByLabel(ro ? 'Câte pe zi?' : 'How many a day?').fill('5')
      await page.getByRole('button', { name: ro ? 'Terminați' : 'Finish' }).click()
      await page
        .getByText(ro ? 'Mulțumim. Clinica are răspunsurile dumneavoastră.' : /Your clinic has your answers/)
        .waitFor()
      await world.check(page)
      await checkPrivate(page, ['Bradeanu', 'knee'])
      await picture(page, 'form-finished', view)
      assert.equal((await world.api.get(`/v1/forms/${form.id}`, email)).status, 'completed')
      await page.context().close()
    })
  }

  test('a corrected form says so, in the list and on the original, with a link to the correction', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    const form = await formFor(clinic, record.patient_profile_id, { fields: [FIELDS[0]] })
    const sign = async (id: string, complaint: string) => {
      await world.api.put(`/v1/forms/${id}`, clinic.admin, { values: { field_complaint: complaint } })
      await world.api.post(`/v1/forms/${id}/sign`, clinic.admin, {})
    }
    await sign(form.id, 'The left knee')
    const { form_template_id, patient_profile_id } = await world.api.get(`/v1/forms/${form.id}`, clinic.admin)
    const body = { form_template_id, patient_profile_id, amends_form_id: form.id }
    const correction = await world.api.post('/v1/forms', clinic.admin, body)
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/forms/${form.id}`, width: 360 })
    await page.getByText('This form is signed.', { exact: false }).waitFor()
    assert.equal(await page.getByText('was corrected').count(), 0, 'a draft corrects nothing yet')
    await sign(correction.id, 'The right knee')
    await page.reload()
    await page.getByText(/This form was corrected on \d{1,2} \w+ \d{4}\./).waitFor()
    await world.check(page)
    await checkNarrow(page)
    await page.getByRole('link', { name: 'See the new one' }).click()
    await page.getByText('The right knee').waitFor()
    await page.getByText('This form corrects an earlier one.').waitFor()
    await page.getByRole('link', { name: 'All forms' }).click()
    await page.getByRole('link', { name: /Corrected on/ }).waitFor()
    await page.getByRole('link', { name: /Correction · Signed on/ }).waitFor()
    await world.check(page)
    await page.context().close()
  })

  test('the patient signs a form whose signer is the patient', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    const form = await formFor(clinic, record.patient_profile_id, { signed_by: 'patient', fields: [FIELDS[0]] })
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/forms/${form.id}`, width: 360 })
    await page.locator('textarea[name]').fill('The knee hurts.')
    await page.getByRole('button', { name: 'Finish' }).click()
    await page.getByRole('checkbox').check()
    await world.check(page)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByText('This form is signed.', { exact: false }).waitFor()
    await world.check(page)
    assert.equal((await world.api.get(`/v1/forms/${form.id}`, email)).status, 'signed')
  })

  test('a form works with the keyboard only, and typed text survives a lost connection', async () => {
    const { clinic, email, form } = await setUp()
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/forms/${form.id}` })
    await page.locator('textarea[name]').waitFor()
    await tabTo(page, 'textarea[name]')
    await page.context().setOffline(true)
    await page.keyboard.type('Back pain')
    await page.getByText('There is no connection.', { exact: false }).waitFor()
    assert.equal(await page.locator('textarea[name]').inputValue(), 'Back pain')
    await page.context().setOffline(false)
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await world.api.get(`/v1/forms/${form.id}`, email)).values.field_complaint, 'Back pain')
  })

  test('when staff change the same form, both answers are kept', async () => {
    const { clinic, email, form } = await setUp()
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/forms/${form.id}` })
    await page.locator('textarea[name]').waitFor()
    await world.api.put(`/v1/forms/${form.id}`, clinic.admin, { values: { field_smoker: 'No' } })
    await page.locator('textarea[name]').fill('Mine')
    await page.getByText(/has changed other answers in this form\. Both changes are kept\./).waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('No', { exact: true }).isChecked(), true)
    const { values } = await world.api.get(`/v1/forms/${form.id}`, email)
    assert.deepEqual(values, { field_complaint: 'Mine', field_smoker: 'No' })
  })
})
