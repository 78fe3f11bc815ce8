import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { intakeFormOf } from './intake-form.ts'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('console: typed input', { skip: SKIPPED }, () => {
  const world = useWorld()
  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

  async function makeClinic() {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    return { clinic, ...(await world.people.patient(clinic)) }
  }

  test('an empty or unreadable number of a service says what to type (ro)', async () => {
    const { clinic } = await makeClinic()
    await scheduleOf(world.services, clinic)
    const path = `${clinic.slug}/settings/services`
    const page = await world.open({ app: 'console', as: clinic.admin, path, language: 'ro' })
    await page.getByRole('button', { name: 'Initial assessment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Initial assessment' })
    const duration = dialog.locator('[name=duration_minutes]')
    const refused = async (typed: string, words: string) => {
      await duration.fill(typed)
      await dialog.getByRole('button', { name: 'Salvați' }).click()
      await dialog.getByText(words).waitFor()
      await dialog.locator('[name=duration_minutes]:focus').waitFor()
    }
    await refused('', 'Completați.')
    await refused('o oră', 'Scrieți un număr, de exemplu 12 sau 12,5.')
    await refused('12,5', 'Scrieți un număr întreg, de exemplu 10.')
    await world.check(page)
    await page.context().close()
  })

  test('a page that was asked to leave does so when its answers are saved after all', async () => {
    const { clinic, record } = await makeClinic()
    const form = await intakeFormOf(world, clinic, record.patient_profile_id)
    const path = `${clinic.slug}/patients/${record.id}/forms/${form.id}`
    const page = await world.open({ app: 'console', as: clinic.admin, path })
    const complaint = page.locator('textarea[name]')
    await complaint.waitFor()
    await page.context().setOffline(true)
    await complaint.fill('The knee')
    await page.getByRole('link', { name: 'All forms' }).click()
    await question(page).waitFor()
    await page.context().setOffline(false)
    await page.waitForURL((url) => url.pathname.endsWith('/forms'))
    await question(page).waitFor({ state: 'detached' })
    const { values } = await world.api.get(`/v1/forms/${form.id}`, clinic.admin)
    assert.equal(values.field_complaint, 'The knee')
    await page.context().close()
  })

  test('a booking asks before the typed link of a meeting is lost', async () => {
    const { clinic, record } = await makeClinic()
    await scheduleOf(world.services, clinic, { service: { modes: ['video'] } })
    const path = `${clinic.slug}/patients/${record.id}/appointments`
    const page = await world.open({ app: 'console', as: clinic.admin, path })
    await page.getByRole('button', { name: 'Book a visit' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Book a visit' })
    const link = dialog.getByLabel('Link to the video meeting')
    await link.fill('https://meet.example/maria')
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Keep editing' }).click()
    assert.equal(await link.inputValue(), 'https://meet.example/maria')
    await link.fill('')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await question(page).count(), 0)
    await page.context().close()
  })
})
