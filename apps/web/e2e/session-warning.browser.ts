import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { sessionsOf } from './sessions.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('warning signs and withdrawal in a session', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function exercising(view: { language?: 'ro'; scheme?: 'dark'; width?: number } = {}) {
    const sessions = sessionsOf(world.services)
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    await sessions.consents(clinic, email)
    await sessions.plan(clinic, record.id, [{ slug: 'heel-slide', sets: 1, reps: 4 }])
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, ...view })
    const ro = view.language === 'ro'
    await page.getByRole('button', { name: ro ? /Începeți: Session A/ : /Start: Session A/ }).click()
    await page.getByRole('button', { name: ro ? 'Începeți fără cameră' : 'Start without camera' }).click()
    await page.getByRole('button', { name: ro ? 'Începeți' : 'Begin', exact: true }).click()
    await page.locator('[data-phase=work]').waitFor()
    return { clinic, email, page, runId: new URL(page.url()).pathname.split('/').at(-1) ?? '' }
  }

  test('a warning sign shows what to do at once, without a connection, and reaches the clinic later', async () => {
    const { clinic, page, runId } = await exercising({ width: 360 })
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'It hurts' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'Hard to breathe' }).check()
    await dialog.getByRole('alert').getByText('Stop exercising now.').waitFor()
    assert.equal(await dialog.getByRole('link', { name: 'Call 112' }).getAttribute('href'), 'tel:112')
    await world.check(page)
    await dialog.getByRole('button', { name: 'Choose how strong the pain is (0: no pain)' }).click()
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('value')), '0')
    await dialog.getByRole('radio', { name: '2', exact: true }).check()
    for (const name of ['Continue', 'Rest a little', 'Skip this exercise'])
      assert.equal(await dialog.getByRole('button', { name, exact: true }).count(), 0, name)
    await dialog.getByRole('button', { name: 'Stop the session' }).click()
    await page.getByRole('heading', { level: 1, name: 'The session has ended' }).waitFor()
    await page.context().setOffline(false)
    await page.getByText('Everything has been sent to your clinic.').waitFor()
    const staff = await world.open({ app: 'console', as: clinic.specialist, path: `${clinic.slug}/session-runs` })
    await staff.getByRole('row').filter({ hasText: 'Warning sign' }).waitFor()
    await staff.goto(`${world.services.url}/console/${clinic.slug}/session-runs/${runId}`)
    await staff.getByText('Warning signs: hard to breathe').waitFor()
    await world.check(staff)
  })

  test('the advice is shown in Romanian (dark)', async () => {
    const { page } = await exercising({ language: 'ro', scheme: 'dark', width: 360 })
    await page.getByRole('button', { name: 'Mă doare' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'Am căzut' }).check()
    await dialog.getByText('Opriți exercițiile acum.').waitFor()
    await dialog.getByRole('radio', { name: '5', exact: true }).check()
    await world.check(page)
    await page.setViewportSize({ width: 320, height: 800 })
    const tooWide = await dialog
      .locator('label')
      .evaluateAll((labels) =>
        labels
          .filter((label) => [...label.children].some(({ scrollWidth }) => scrollWidth > label.clientWidth + 1))
          .map(({ textContent }) => textContent),
      )
    assert.deepEqual(tooWide, [], 'words that leave their button')
  })

  test('a sheet with answers asks before it is closed, and after a warning sign the exercise stays paused', async () => {
    const { page } = await exercising({ width: 360 })
    const dialog = page.getByRole('dialog', { name: 'It hurts' })
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.getByRole('button', { name: 'It hurts' }).click()
    await dialog.getByRole('checkbox', { name: 'Hard to breathe' }).check({ force: true })
    await page.keyboard.press('Escape')
    await question.getByText('What you chose has not been sent to your clinic.').waitFor()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    assert.ok(await dialog.getByRole('checkbox', { name: 'Hard to breathe' }).isChecked())
    await dialog.getByRole('button', { name: 'Close' }).click()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Paused.', { exact: false }).waitFor()
    assert.ok(await page.getByRole('button', { name: /Tap after each/ }).isDisabled())
    await page.getByRole('button', { name: 'It hurts' }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('withdrawing the consent to exercising at home in another tab ends the session with the reason', async () => {
    const { clinic, page, runId } = await exercising()
    await page.getByRole('button', { name: /Tap after each/ }).click()
    const events = () =>
      world.services.database.query<{ type: string }>(
        'select type from session_run_events where session_run_id = $1 and client_event_id is not null',
        [runId],
      )
    await until(async () => (await events()).length > 0)
    const other = await page.context().newPage()
    await other.goto(`${world.services.url}/portal/${clinic.slug}/me/consents`)
    const card = other.getByRole('heading', { name: 'Exercise at home' }).locator('xpath=ancestor::*[.//button][1]')
    await card.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByText('You withdrew your consent to exercising at home').waitFor({ timeout: 10_000 })
    assert.equal(await page.getByText('How hard was it?').count(), 0)
    await world.check(page)
    await page.reload()
    await page.getByText('You withdrew your consent to exercising at home').waitFor()
    assert.deepEqual(await events(), [{ type: 'started' }])
    // The next session asks the patient, by the same name as on the page of consents.
    await page.getByRole('button', { name: 'Back to Today' }).click()
    await page.getByRole('button', { name: /Start: Session A/ }).click()
    await page.getByRole('dialog').getByLabel('I have read and accept: Exercise at home', { exact: true }).waitFor()
    assert.equal(await page.getByText('the patient’s consent').count(), 0)
  })
})
