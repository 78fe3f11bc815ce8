import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { tabTo } from './browser.ts'
import { intakeFormOf } from './intake-form.ts'
import { scheduleOf } from './scheduling.ts'
import { sessionsOf } from './sessions.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('portal: with the keyboard only', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function setUp(path: string): Promise<{ page: Page; email: string }> {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    await scheduleOf(world.services, clinic)
    const { email } = await world.people.patient(clinic)
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/${path}`, width: 1440 })
    return { page, email }
  }

  /** Presses Tab until the element with this text has the focus. */
  async function tabToText(page: Page, text: string): Promise<void> {
    for (let pressed = 0; pressed < 80; pressed++) {
      const focused = await page.evaluate(() => document.activeElement?.textContent ?? '')
      if (focused.trim().startsWith(text)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach "${text}" on ${page.url()}`)
  }
  const press = async (page: Page, text: string) => {
    await tabToText(page, text)
    await page.keyboard.press('Enter')
  }

  /** From the list of services to ten o'clock on one of the first days. */
  async function chooseTime(page: Page): Promise<void> {
    await press(page, 'Initial assessment')
    await page.getByRole('group', { name: 'Choose a day' }).waitFor()
    await tabTo(page, '[aria-pressed=false]')
    for (let day = 0; day < 3; day++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '10:00' }).waitFor()
    await press(page, '10:00')
  }

  test('a visit is booked and cancelled by keyboard', async () => {
    const { page } = await setUp('visits')
    await page.getByText('No appointments yet').waitFor()
    await press(page, 'Book an appointment')
    await page.getByRole('heading', { name: 'What do you need?' }).waitFor()
    await page.getByRole('link', { name: 'Initial assessment' }).waitFor()
    await chooseTime(page)
    await page.locator('[name=patient_note]').waitFor()
    // The focus after a step.
    await page.locator('h1:focus').waitFor()
    await tabTo(page, '[name=patient_note]')
    await page.keyboard.type('The knee hurts.')
    await press(page, 'Book this appointment')
    await page.getByRole('article').waitFor()
    await press(page, 'Cancel the appointment')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    // Escape keeps the visit.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('article').count(), 1)
    await press(page, 'Cancel the appointment')
    await dialog.waitFor()
    await tabTo(page, 'textarea')
    await page.keyboard.press('Tab')
    await press(page, 'Cancel the appointment')
    await page.getByText('You have no upcoming appointment.').waitFor()
  })

  test('a booking without an account is made and cancelled by keyboard', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    await scheduleOf(world.services, clinic)
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book`, width: 1440 })
    await page.getByRole('link', { name: 'Initial assessment' }).waitFor()
    await chooseTime(page)
    await page.getByRole('timer').waitFor()
    for (const [name, text] of [
      ['name', 'Ion Popa'],
      ['email', world.people.newEmail('booker')],
    ] as const) {
      await tabTo(page, `[name="booker.${name}"]`)
      await page.keyboard.type(text)
    }
    await press(page, 'Book this appointment')
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor()
    await press(page, 'Move or cancel')
    await page.getByRole('heading', { level: 1, name: 'Your booking' }).waitFor()
    await page.getByText('Confirmed', { exact: true }).waitFor()
    await press(page, 'Cancel the appointment')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Tab')
    await press(page, 'Cancel the appointment')
    await page.getByText('Cancelled', { exact: true }).waitFor()
  })

  test('a form is filled in, finished and signed by keyboard', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    const form = await intakeFormOf(world, clinic, record.patient_profile_id, { signed_by: 'patient' })
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/forms`, width: 1440 })
    await page.getByRole('link', { name: /Intake/ }).waitFor()
    await press(page, 'Intake')
    await page.locator('textarea[name]').waitFor()
    await tabTo(page, 'textarea[name]')
    await page.keyboard.type('The knee hurts.')
    await tabTo(page, 'input[type=radio]')
    await page.keyboard.press('Space')
    await press(page, 'Finish')
    await page.getByRole('heading', { name: 'Sign this form' }).waitFor()
    await tabTo(page, 'input[type=checkbox]')
    await page.keyboard.press('Space')
    await press(page, 'Sign')
    await page.getByText(/^This form is signed/).waitFor()
    const { status, values } = await world.api.get(`/v1/forms/${form.id}`, email)
    assert.deepEqual([status, values], ['signed', { field_complaint: 'The knee hurts.', field_smoker: 'Yes' }])
  })

  test('pain is reported in a session and the exercise skipped by keyboard', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    const sessions = sessionsOf(world.services)
    await sessions.consents(clinic, email)
    await sessions.plan(clinic, record.id, [{ slug: 'heel-slide', reps: 5 }])
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 1440 })
    await page.getByRole('button', { name: /Start: Session A/ }).waitFor()
    await press(page, 'Start')
    await page.getByRole('button', { name: 'Start without camera' }).waitFor()
    await press(page, 'Start without camera')
    await page.getByRole('button', { name: 'Begin' }).waitFor()
    await press(page, 'Begin')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await press(page, 'It hurts')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await tabTo(page, 'input[type=radio]')
    // The arrow keys choose a severity; the first press chooses 1.
    for (let severity = 0; severity < 5; severity++) await page.keyboard.press('ArrowRight')
    await press(page, 'Skip this exercise')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Everything has been sent to your clinic.').waitFor()
    const pains = await world.services.database.query(
      'select severity, action from pain_reports where organization_id = $1',
      [clinic.id],
    )
    assert.deepEqual(pains, [{ severity: 5, action: 'skip_exercise' }])
  })

  test('the name is changed and a consent given by keyboard', async () => {
    const { page, email } = await setUp('me')
    await page.getByText('This device').waitFor()
    await press(page, 'Name and language')
    await page.getByRole('heading', { level: 1, name: 'Name and language' }).waitFor()
    await tabTo(page, '[name=name]')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Maria S.')
    await press(page, 'Save')
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.equal((await world.api.get('/v1/me', email)).name, 'Maria S.')
    await press(page, 'Me')
    await page.getByRole('heading', { level: 1, name: 'Me', exact: true }).waitFor()
    await press(page, 'Consents')
    await page.getByRole('heading', { level: 1, name: 'Consents' }).waitFor()
    await page.getByRole('button', { name: 'Read and agree' }).first().waitFor()
    await press(page, 'Read and agree')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'input[type=checkbox]')
    await page.keyboard.press('Space')
    await press(page, 'Agree and continue')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await world.check(page)
  })

  test('another device is signed out by keyboard and this one stays; "everywhere" ends both', async () => {
    const { page, email } = await setUp('me')
    const slug = new URL(page.url()).pathname.split('/')[2] ?? ''
    const other = await world.open({ app: 'portal', as: email, path: slug, width: 360 })
    await page.reload()
    await page.getByText('This device').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
    await press(page, 'Sign out')
    await page.getByText('The device was signed out.').waitFor()
    await other.reload()
    await other.getByRole('link', { name: 'Sign in' }).waitFor()
    await press(page, 'Sign out everywhere')
    await page.getByRole('dialog').waitFor()
    await world.check(page)
    await press(page, 'Sign out everywhere')
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  })
})
