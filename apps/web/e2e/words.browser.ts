import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { scheduleOf } from './scheduling.ts'
import { sessionsOf } from './sessions.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('what pages say', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function patientWithVisit() {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { service, specialists } = await scheduleOf(world.services, clinic)
    const { email, record } = await world.people.patient(clinic)
    const starts_at = new Date(Date.now() + 5 * 86_400_000)
    starts_at.setUTCHours(8, 0, 0, 0)
    await world.api.post('/v1/appointments', clinic.admin, {
      service_id: service.id,
      specialist_id: specialists[0]?.id,
      patient_id: record.id,
      starts_at: starts_at.toISOString(),
    })
    return { clinic, email }
  }

  /** Names in the menu that need more than one line. */
  const brokenLabels = (page: Page) =>
    page.locator('nav span').evaluateAll((labels) =>
      labels
        .filter((label) => {
          const words = document.createRange()
          words.selectNodeContents(label)
          return words.getClientRects().length > 1
        })
        .map(({ textContent }) => textContent),
    )

  for (const language of ['en', 'ro'] as const)
    test(`on a small phone, beside "Cancel the visit" the other button keeps the visit, and the menu breaks no name (${language})`, async () => {
      const { clinic, email } = await patientWithVisit()
      const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits`, language, width: 320 })
      const cancel = language === 'en' ? 'Cancel the appointment' : 'Anulați programarea'
      const keep = language === 'en' ? 'Keep the appointment' : 'Păstrați programarea'
      await page.getByRole('button', { name: cancel }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: keep }).waitFor()
      const named = (await dialog.getByRole('button').allTextContents()).filter((text) => text !== '')
      assert.deepEqual(new Set(named), new Set([keep, cancel]))
      await world.check(page)
      await dialog.getByRole('button', { name: keep }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: cancel }).waitFor()
      assert.deepEqual(await brokenLabels(page), [])
      await page.context().close()
    })

  test('a read without a connection does not say that anything typed was kept', async () => {
    const { clinic } = await patientWithVisit()
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/settings/hours` })
    const add = page.getByRole('button', { name: 'Add closed days' })
    await add.waitFor()
    await page.context().setOffline(true)
    await add.click()
    const dialog = page.getByRole('dialog')
    const said = dialog.getByRole('alert')
    await said.getByText('There is no connection. Check it and try again.', { exact: true }).waitFor()
    await dialog.locator('[name=name]').fill('Flood')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await said.getByText('Check it and try again. What you typed is still here.', { exact: false }).first().waitFor()
    await page.context().close()
  })

  test('a dialog says that something typed was kept only when something was typed', async () => {
    const { clinic, email } = await patientWithVisit()
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits` })
    const isKept = page.getByText('What you typed is still here.', { exact: false })
    await page.getByRole('button', { name: 'Cancel the appointment' }).click()
    const dialog = page.getByRole('dialog')
    await page.context().setOffline(true)
    await dialog.getByRole('button', { name: 'Cancel the appointment' }).click()
    await dialog.getByRole('alert').waitFor()
    assert.equal(await isKept.count(), 0)
    await dialog.getByLabel('Why? (optional)').fill('Ill')
    await dialog.getByRole('button', { name: 'Cancel the appointment' }).click()
    await isKept.waitFor()
    assert.equal(await dialog.getByLabel('Why? (optional)').inputValue(), 'Ill')
    await page.context().close()
  })

  test('a language or a sign-out that did not reach the server says so in the menu', async () => {
    const { clinic, email } = await patientWithVisit()
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits`, width: 360 })
    await page.getByRole('button', { name: /^Account/ }).click()
    const menu = page.locator('[popover]').filter({ hasText: email })
    await page.context().setOffline(true)
    for (const name of ['Română', 'Sign out']) {
      await menu.getByRole('button', { name, exact: true }).click()
      await menu.getByText('There is no connection. Check it and try again.').waitFor()
      await world.check(page)
    }
    await page.context().setOffline(false)
    await menu.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(({ origin }) => origin === new URL(world.services.config.issuer).origin)
    await page.context().close()
  })

  test('the sessions of Today keep their places while they are shown', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    const sessions = sessionsOf(world.services)
    await sessions.consents(clinic, email)
    await sessions.plan(clinic, record.id, [{ slug: 'heel-slide', reps: 2 }], 'Session A')
    const second = await sessions.plan(clinic, record.id, [{ slug: 'ankle-pumps', reps: 2 }], 'Session B')
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug })
    await page.clock.install({ time: new Date() })
    await page.reload()
    const titles = () => page.getByRole('heading', { name: /^Session [AB]$/ }).allTextContents()
    await page.getByRole('button', { name: 'Start: Session A' }).waitFor()
    assert.deepEqual(await titles(), ['Session A', 'Session B'])

    // The session is started on another device, and the page reads again: the API names it first.
    await world.api.rawPost('/v1/session-runs', email, { plan_session_id: second.sessions[0]?.id })
    await page.clock.fastForward(60_000)
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await page.getByRole('button', { name: 'Continue: Session B' }).waitFor()
    assert.deepEqual(await titles(), ['Session A', 'Session B'])
    await page.reload()
    await page.getByRole('button', { name: 'Continue: Session B' }).waitFor()
    assert.deepEqual(await titles(), ['Session B', 'Session A'])
    await page.context().close()
  })
})
