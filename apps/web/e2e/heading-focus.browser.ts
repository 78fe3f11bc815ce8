import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { settle } from './browser.ts'
import { sessionsOf } from './sessions.ts'
import { SKIPPED, useWorld } from './world.ts'

const MAX_KEYS = 40

describe('the focus after a navigation', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function clinicWithPatient() {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    return { clinic, ...(await world.people.patient(clinic)) }
  }

  /** The page's heading has this text and the focus. */
  const onHeading = (page: Page, text: string) => page.locator('h1:focus', { hasText: text }).waitFor()
  const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

  test('in the console links, keys, tabs and the way back lead to the heading; sorting, dialogs and the skip link keep theirs', async () => {
    const { clinic } = await clinicWithPatient()
    const page = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug })
    await settle(page)
    // A page that was loaded starts at its top: the first Tab is the skip link.
    await page.keyboard.press('Tab')
    assert.equal(await focusedText(page), 'Skip to the content')
    await page.keyboard.press('Enter')
    await page.locator('main:focus').waitFor()

    await page.getByRole('link', { name: 'Patients', exact: true }).click()
    await onHeading(page, 'Patients')
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.waitForURL(/sort=/)
    await settle(page)
    assert.equal(await focusedText(page), 'Name')
    await page.getByRole('button', { name: 'New patient' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('button:focus', { hasText: 'New patient' }).waitFor()

    // The record has another heading until it is loaded.
    await page.getByRole('link', { name: 'Maria Stan' }).click()
    await onHeading(page, 'Maria Stan')
    await page.getByRole('link', { name: 'Plans', exact: true }).click()
    await page.waitForURL(/\/plans$/)
    await onHeading(page, 'Maria Stan')
    await page.goBack()
    await onHeading(page, 'Patients')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await onHeading(page, 'Today')
    await world.check(page)
    await page.context().close()
  })

  test('a person who moves on before the heading appears keeps the focus', async () => {
    const { clinic } = await clinicWithPatient()
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/patients` })
    const link = page.getByRole('link', { name: 'Maria Stan' })
    await link.waitFor()
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(/\/v1\/patients\/[0-9a-f-]{36}$/, async (route) => {
      await asked
      await route.continue()
    })
    await link.click()
    await onHeading(page, 'Patient record')
    await page.keyboard.press('Shift+Tab')
    const chosen = await page.evaluateHandle(() => document.activeElement)
    answer()
    await page.getByRole('heading', { level: 1, name: 'Maria Stan' }).waitFor()
    await settle(page)
    assert.equal(await page.evaluate((element) => element === document.activeElement, chosen), true)
    await page.context().close()
  })

  test('in the portal pages lead to their heading, the player to its next action', async () => {
    const { clinic, email, record } = await clinicWithPatient()
    const sessions = sessionsOf(world.services)
    await sessions.consents(clinic, email)
    await sessions.plan(clinic, record.id, [{ slug: 'heel-slide', reps: 5 }])
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 360 })
    for (const name of ['Appointments', 'Forms', 'Progress', 'Me', 'Today']) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await onHeading(page, name)
    }
    await page.getByRole('button', { name: /^Start: / }).click()
    await page.locator('[data-next]:focus').first().waitFor()
    await page.context().close()
  })

  test('in the platform opening a clinic from the list moves the focus to its heading', async () => {
    const { clinic } = await clinicWithPatient()
    const page = await world.open({ app: 'platform', as: await world.people.operator() })
    await page.getByRole('searchbox').fill(clinic.slug)
    const link = page.getByRole('row').nth(1).getByRole('link')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    await link.click()
    await onHeading(page, clinic.name)
    await page.context().close()
  })

  test(`in the console a plan is saved from Today in at most ${MAX_KEYS} keys`, async () => {
    const { clinic, record } = await clinicWithPatient()
    for (const last of ['Popa', 'Ionescu', 'Radu']) await world.people.patient(clinic, { last })
    const page = await world.open({ app: 'console', as: clinic.specialist, path: clinic.slug })
    await settle(page)
    const pressed: string[] = []
    const press = async (...keys: string[]) => {
      for (const key of keys) {
        pressed.push(key)
        await page.keyboard.press(key)
      }
    }
    /** Tab until the focused control has this name. */
    const tabTo = async (name: RegExp) => {
      const isThere = () =>
        page.evaluate(() => {
          const focused = document.activeElement
          const label = focused instanceof HTMLSelectElement ? focused.labels[0]?.textContent : focused?.textContent
          return focused?.getAttribute('aria-label') ?? label ?? ''
        })
      while (!name.test(await isThere())) {
        assert.ok(pressed.length < 100, `Tab does not reach ${name}`)
        await press('Tab')
      }
    }

    await press('g', 'p')
    await onHeading(page, 'Patients')
    // The page listens to keys a moment after its heading has the focus.
    await settle(page)
    await press('/')
    await page.keyboard.type('Stan')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    await press('ArrowDown')
    assert.equal(await focusedText(page), 'Maria Stan')
    await press('Enter')
    await onHeading(page, 'Maria Stan')
    await tabTo(/plan/i)
    await press('Enter')
    await page.locator('h2:focus', { hasText: 'How do you want to start?' }).waitFor()
    await tabTo(/Sessions per week/)
    await press('1')
    await tabTo(/^Begin/)
    await press('Enter')
    await page.locator('[name=title]:focus').waitFor()
    await page.keyboard.type('Knee, first weeks')
    await tabTo(/^Add an exercise/)
    await press('Enter')
    await page.getByRole('dialog').locator('input[type=search]:focus').waitFor()
    await page.keyboard.type('Heel slide')
    await page.getByRole('dialog').getByRole('button', { name: 'Add Heel slide', exact: true }).waitFor()
    await page.waitForFunction(() => document.querySelectorAll('dialog ul li').length < 5)
    await tabTo(/^Add Heel slide$/)
    await press('Enter')
    await page.getByText('Heel slide was added.').waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await tabTo(/^Save the draft/)
    await press('Enter')
    await page.getByText('The plan is saved.').waitFor()
    await onHeading(page, 'Maria Stan')
    const [plan] = await world.api.get(`/v1/treatment-plans?patient_id=${record.id}`, clinic.specialist)
    assert.deepEqual([plan.title, plan.sessions_count], ['Knee, first weeks', 1])
    assert.ok(pressed.length <= MAX_KEYS, `${pressed.length} keys: ${pressed.join(' ')}`)
    await page.context().close()
  })
})
