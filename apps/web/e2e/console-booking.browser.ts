import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { settle } from './browser.ts'
import { holdAt, scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('console: booking', { skip: SKIPPED }, () => {
  const world = useWorld()
  let made: ReturnType<typeof makeClinic> | undefined
  const theClinic = () => (made ??= makeClinic())
  const soon = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)

  /** Two specialists offer the consultation, also by video; only Andrei offers the massage. */
  async function makeClinic() {
    const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
    await world.people.publishNotice(clinic)
    await world.people.patient(clinic, { first: 'Ștefan', last: 'Țurcanu' })
    const maria = await world.people.patient(clinic)
    const { service, specialists } = await scheduleOf(world.services, clinic, {
      service: { name: 'Consultation', modes: ['in_person', 'video'] },
    })
    const [ana, andrei] = specialists
    assert.ok(ana && andrei)
    const massage = await world.api.post('/v1/services', clinic.admin, {
      name: 'Massage',
      duration_minutes: 30,
      modes: ['in_person'],
      specialist_ids: [andrei.id],
    })
    return { clinic, maria, consultation: service, massage, ana, andrei }
  }

  async function openBooking(view: { language?: 'en' | 'ro' } = {}) {
    const { clinic, maria } = await theClinic()
    const path = `${clinic.slug}/patients/${maria.record.id}/appointments`
    const page = await world.open({ app: 'console', as: clinic.admin, path, ...view })
    const name = view.language === 'ro' ? 'Programați o vizită' : 'Book a visit'
    await page.getByRole('button', { name }).first().click()
    return { page, dialog: page.getByRole('dialog', { name }) }
  }

  const timesIn = (dialog: ReturnType<Page['getByRole']>) =>
    dialog.getByRole('group', { name: /^(Free times|Ore libere)$/ })
  const visitsOf = async (): Promise<{ service_id: string; specialist_id: string; status: string }[]> => {
    const { clinic, maria } = await theClinic()
    return world.api.get(`/v1/appointments?patient_id=${maria.record.id}`, clinic.admin)
  }

  test('another service starts with its own mode and any specialist', async () => {
    const { consultation, massage, ana } = await theClinic()
    const { page, dialog } = await openBooking()
    await dialog.getByLabel('Service').selectOption(consultation.id)
    await dialog.getByLabel('Specialist').selectOption(ana.id)
    await dialog.getByLabel('How').selectOption('video')
    await dialog.getByLabel('Link to the video meeting').waitFor()
    await dialog.getByLabel('Service').selectOption(massage.id)
    await dialog.getByLabel('Link to the video meeting').waitFor({ state: 'detached' })
    await dialog.getByLabel('Day').fill(soon)
    await timesIn(dialog).getByRole('button', { name: '10:00' }).waitFor()
    await page.context().close()
  })

  test('another mode drops the chosen time', async () => {
    const { consultation } = await theClinic()
    const { page, dialog } = await openBooking()
    await dialog.getByLabel('Service').selectOption(consultation.id)
    await dialog.getByLabel('Day').fill(soon)
    const book = dialog.getByRole('button', { name: 'Book a visit' })
    await timesIn(dialog).getByRole('button').first().click()
    assert.equal(await book.isEnabled(), true)
    await dialog.getByLabel('How').selectOption('video')
    assert.equal(await book.isEnabled(), false)
    await page.context().close()
  })

  test('times of any specialist name the specialist who is booked (ro)', async () => {
    const { consultation, ana, andrei } = await theClinic()
    const { page, dialog } = await openBooking({ language: 'ro' })
    await dialog.getByLabel('Serviciu').selectOption(consultation.id)
    await dialog.getByLabel('Ziua').fill(soon)
    const at = (name: string) => timesIn(dialog).getByRole('button', { name, exact: true })
    await at('11:00, Ana Ionescu').waitFor()
    await at('11:00, Andrei Popescu').click()
    await world.check(page)
    await dialog.getByLabel('Specialist').selectOption(ana.id)
    await at('11:00').waitFor()
    await dialog.getByLabel('Specialist').selectOption('')
    await at('11:00, Andrei Popescu').click()
    await dialog.getByRole('button', { name: 'Programați o vizită' }).click()
    await page.getByText('Vizita este programată.').waitFor()
    assert.deepEqual(
      (await visitsOf()).map(({ specialist_id }) => specialist_id),
      [andrei.id],
    )
    await page.context().close()
  })

  test('a free time of the calendar names its specialist', async () => {
    const { clinic, consultation, ana } = await theClinic()
    const path = `${clinic.slug}/calendar?day=${soon}&span=day&specialist=${ana.id}&free=${consultation.id}`
    const page = await world.open({ app: 'console', as: clinic.admin, path })
    await page.getByRole('button', { name: /13:00/ }).first().click()
    await page.getByRole('dialog').getByText('With Ana Ionescu').waitFor()
    await page.context().close()
  })

  test('the search for a patient has the focus; Enter chooses the only match and books nothing', async () => {
    const { clinic, consultation } = await theClinic()
    const before = (await visitsOf()).length
    const path = `${clinic.slug}/calendar?day=${soon}&span=day&free=${consultation.id}`
    const page = await world.open({ app: 'console', as: clinic.admin, path })
    await page.getByRole('button', { name: /14:00/ }).first().click()
    const dialog = page.getByRole('dialog')
    const search = dialog.getByRole('searchbox')
    await dialog.locator('input[type=search]:focus').waitFor()
    await dialog.getByRole('radio', { name: /Stan/ }).check()
    // Nobody is found before the first Enter, however slow the test is.
    const held = Promise.withResolvers<void>()
    await page.route(/\/patients\/picker\?.*q=turcanu/, async (route) => {
      await held.promise
      await route.continue()
    })
    await search.fill('turcanu')
    await search.press('Enter')
    const book = dialog.getByRole('button', { name: 'Book a visit' })
    assert.equal(await book.isEnabled(), false)
    held.resolve()
    await dialog.getByRole('radio', { name: /Stan/ }).waitFor({ state: 'detached' })
    await search.press('Enter')
    assert.equal(await dialog.getByRole('radio', { name: /Țurcanu/ }).isChecked(), true)
    assert.equal(await book.isEnabled(), true)
    assert.equal((await visitsOf()).length, before)
    await page.context().close()
  })

  test('a series is confirmed with the number of its visits, without another read', async () => {
    const { massage } = await theClinic()
    const { page, dialog } = await openBooking()
    await page.route(/\/v1\/appointments\?.*series_id=/, (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Try again.' } } }),
    )
    await dialog.getByLabel('Service').selectOption(massage.id)
    await dialog.getByLabel('Day').fill(soon)
    await timesIn(dialog).getByRole('button', { name: '16:00' }).click()
    await dialog.getByLabel('Repeat').selectOption('1')
    await dialog.getByRole('button', { name: 'Book a visit' }).click()
    await page.getByText(/^\d+ visits are booked\.$/).waitFor()
    await page.context().close()
  })

  test('Enter books; a link that is no address of a meeting is refused at its field', async () => {
    const { consultation } = await theClinic()
    const { page, dialog } = await openBooking()
    await dialog.getByLabel('Service').selectOption(consultation.id)
    await dialog.getByLabel('How').selectOption('video')
    await dialog.getByLabel('Day').fill(soon)
    await timesIn(dialog)
      .getByRole('button', { name: /^15:00/ })
      .first()
      .click()
    const link = dialog.getByLabel('Link to the video meeting')
    await link.fill('meet.example/maria')
    await link.press('Enter')
    await dialog.locator('[name=meeting_url][aria-invalid=true]:focus').waitFor()
    await link.fill('https://meet.example/maria')
    await link.press('Enter')
    await page.getByText('The visit is booked.').waitFor()
    await page.context().close()
  })

  test('a visit of an archived service moves to a free time of that service', async () => {
    const { clinic, maria, andrei } = await theClinic()
    const taping = await world.api.post('/v1/services', clinic.admin, {
      name: 'Taping',
      duration_minutes: 15,
      slot_interval_minutes: 15,
      specialist_ids: [andrei.id],
    })
    const { starts_at } = holdAt(clinic, { service: taping, specialists: [] }, 10)
    const visit = await world.api.post('/v1/appointments', clinic.admin, {
      service_id: taping.id,
      specialist_id: andrei.id,
      patient_id: maria.record.id,
      starts_at,
    })
    await world.api.patch(`/v1/services/${taping.id}`, clinic.admin, { status: 'archived', version: taping.version })
    const path = `${clinic.slug}/patients/${maria.record.id}/appointments?visit=${visit.id}`
    const page = await world.open({ app: 'console', as: clinic.admin, path })
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move the visit' })
    await dialog.getByLabel('Day').fill(soon)
    // Only this service has times at a quarter to the hour.
    await timesIn(dialog).getByRole('button', { name: '17:45' }).click()
    await dialog.getByRole('button', { name: 'Move' }).click()
    await page.getByText('The visit was moved.').waitFor()
    const moved = (await visitsOf()).filter(({ service_id }) => service_id === taping.id)
    assert.deepEqual(moved.map(({ status }) => status).sort(), ['cancelled', 'confirmed'])
    await page.context().close()
  })

  test('a double click books once and says so once', async () => {
    const { massage } = await theClinic()
    const { page, dialog } = await openBooking()
    await dialog.getByLabel('Service').selectOption(massage.id)
    await dialog.getByLabel('Day').fill(soon)
    await timesIn(dialog).getByRole('button', { name: '12:00' }).click()
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === '/v1/appointments') sent += 1
    })
    await dialog.getByRole('button', { name: 'Book a visit' }).dblclick()
    await page.getByText('The visit is booked.').first().waitFor()
    await settle(page)
    assert.equal(sent, 1)
    assert.equal(await page.getByText('The visit is booked.').count(), 1)
    await page.context().close()
  })
})
