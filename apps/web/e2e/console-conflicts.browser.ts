import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clinicDay } from './clinic-day.ts'
import { SKIPPED, useWorld } from './world.ts'

// Two people edit the same record: the second sees who saved and when, and decides. Typed text is kept until then.

describe('conflicts in the console and the platform', { skip: SKIPPED }, () => {
  const world = useWorld()
  let day: Awaited<ReturnType<typeof clinicDay>> | undefined
  const theDay = async () => (day ??= await clinicDay(world))
  const dialogOf = (page: Page) => page.locator('dialog').filter({ hasText: 'Somebody else has saved changes' })

  test('a conflict between answers of a form shows theirs and mine, and mine can be kept', async () => {
    const { clinic, maria, form } = await theDay()
    const path = `${clinic.slug}/patients/${maria.record.id}/forms/${form.id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    const finding = page.locator('[name=field_finding]')
    await finding.waitFor()
    await world.api.put(`/v1/forms/${form.id}`, clinic.admin, { values: { field_finding: 'Theirs.' } })
    await finding.fill('Mine.')
    const dialog = dialogOf(page)
    await dialog.getByRole('cell', { name: 'Theirs.' }).waitFor()
    await dialog.getByText(/saved it on/).waitFor()
    await world.check(page)
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const stored = await world.api.get(`/v1/forms/${form.id}`, clinic.specialist)
    assert.equal(stored.values.field_finding, 'Mine.')
    await page.context().close()
  })

  test('a file is added to a form, replaced and removed; a file of another kind is refused in the person’s language', async () => {
    const { clinic, maria } = await theDay()
    const template = await world.api.post('/v1/form-templates', clinic.admin, {
      title: 'Report',
      type: 'assessment',
      fields: [{ key: 'scan', label: 'Scan', type: 'file', allowed_file_types: ['image/png'] }],
    })
    await world.api.post(`/v1/form-templates/${template.id}/publish`, clinic.admin, {})
    const { id } = await world.api.post('/v1/forms', clinic.specialist, {
      form_template_id: template.id,
      patient_profile_id: maria.record.patient_profile_id,
    })
    const path = `${clinic.slug}/patients/${maria.record.id}/forms/${id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path, language: 'ro' })
    const input = page.locator('input[type=file]')
    await input.waitFor({ state: 'attached' })
    await input.setInputFiles({ name: 'scan.txt', mimeType: 'text/plain', buffer: Buffer.from('text') })
    await page.getByText('Un fișier de acest tip', { exact: false }).waitFor()
    await world.check(page)
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await input.setInputFiles({ name: 'knee.png', mimeType: 'image/png', buffer: png })
    await page.getByRole('button', { name: /knee\.png/ }).waitFor()
    await page.getByRole('button', { name: 'Eliminați' }).click()
    await page.getByText('Alegeți un fișier').waitFor()
    await page.context().close()
  })

  test('their version of a condition can be taken, and deleting a changed condition asks again', async () => {
    const { clinic, maria } = await theDay()
    const found = await world.api.raw('/v1/exercise-conditions?limit=1', clinic.specialist)
    const at = `/v1/patients/${maria.record.id}/conditions`
    const condition = await world.api.post(at, clinic.specialist, { condition_id: found.conditions[0].id })
    const path = `${clinic.slug}/patients/${maria.record.id}/conditions`
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    await page
      .getByRole('button', { name: /^Change:/ })
      .first()
      .click()
    await page.locator('[name=note]').fill('Mine')
    const change = (note: string, version: number) =>
      world.api.patch(`${at}/${condition.id}`, clinic.admin, { note, version })
    await change('Theirs', condition.version)
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = dialogOf(page)
    await dialog.getByRole('cell', { name: 'Theirs' }).waitFor()
    await dialog.getByRole('button', { name: 'Show theirs' }).click()
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('[name=note]')?.value === 'Theirs')
    await change('Theirs again', condition.version + 1)
    await page.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByText(/saved it on/).waitFor()
    await dialog.getByRole('button', { name: 'Do it anyway' }).click()
    await page.locator('[name=note]').waitFor({ state: 'detached' })
    assert.deepEqual((await world.api.raw(at, clinic.specialist)).data, [])
    await page.context().close()
  })

  test('after a conflict over an organization the operator keeps what was typed', async () => {
    const { clinic } = await theDay()
    const operator = await world.people.operator()
    const page = await world.open({ app: 'platform', as: operator, path: `organizations/${clinic.id}` })
    const phone = page.locator('[name=phone]')
    await phone.fill('+40 21 000 0001')
    const { version } = await world.api.get(`/v1/organizations/${clinic.id}`, operator)
    await world.api.patch(`/v1/organizations/${clinic.id}`, operator, { phone: '+40 21 000 0002', version })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'You saved this in another tab or on another device' })
    await dialog.getByText('+40 21 000 0002').waitFor()
    await world.check(page)
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('Saved.').first().waitFor()
    assert.equal((await world.api.get(`/v1/organizations/${clinic.id}`, operator)).phone, '+40 21 000 0001')
    await page.context().close()
  })
})
