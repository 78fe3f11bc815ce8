import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow } from './browser.ts'
import { scheduleOf } from './scheduling.ts'
import { nameOf, VIEWS } from './views.ts'
import { SKIPPED, useWorld } from './world.ts'

const PHONE = '+40 21 555 0100'
const TEL = 'a[href="tel:+40215550100"]'

describe('booking: places, prices and telephone numbers', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function setUp({ service = {}, names }: { service?: object; names?: readonly string[] } = {}) {
    const clinic = await world.people.clinic({ name: 'Clinica Mlădița', phone: PHONE, time_zone: 'Europe/Bucharest' })
    await world.people.publishNotice(clinic)
    const place = (name: string, line1: string, phone: string | null = null) =>
      world.api.post(`/v1/organizations/${clinic.id}/locations`, clinic.admin, {
        name,
        address: { line1, city: 'București', country: 'RO' },
        phone,
      })
    const centre = await place('Centru', 'Strada Lipscani 12', '+40 21 555 0199')
    const north = await place('Nord', 'Bulevardul Aviatorilor 3')
    const locations = [centre.id, north.id]
    const schedule = await scheduleOf(world.services, clinic, { service, locations, ...(names ? { names } : {}) })
    return { clinic, schedule, centre, north }
  }

  for (const view of VIEWS) {
    const ro = view.language === 'ro'

    test(`each time names its place; address and price are shown before the booking (${nameOf(view)})`, async () => {
      const { clinic, schedule, north } = await setUp()
      const path = `${clinic.slug}/book?service=${schedule.service.id}`
      const page = await world.open({ app: 'portal', path, ...view })
      await page.getByRole('button', { name: '10:00 Centru' }).waitFor()
      await world.check(page)
      await checkNarrow(page)
      await page.getByRole('button', { name: '10:00 Nord' }).click()
      const main = page.locator('main')
      await page.getByRole('timer').waitFor()
      await main.getByText('Bulevardul Aviatorilor 3, București').waitFor()
      await main.getByText(ro ? /Preț: 200,00/ : /Price: RON\s200\.00/).waitFor()
      await main.getByText(ro ? 'Cu Andrei Popescu' : 'With Andrei Popescu').waitFor()
      await world.check(page)
      await checkNarrow(page)
      await page.locator('[name="booker.name"]').fill('Ioana')
      await page.locator('[name="booker.email"]').fill(world.people.newEmail('booker'))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: ro ? /este confirmată/ : 'Your appointment is booked' }).waitFor()
      await main.getByText('Bulevardul Aviatorilor 3, București').waitFor()
      await world.check(page)
      const [row] = await world.services.database.query<{ location_id: string }>(
        'select location_id from appointments where organization_id = $1',
        [clinic.id],
      )
      assert.equal(row?.location_id, north.id)
      await page.context().close()
    })
  }

  test('a clinic without online booking shows its telephone number as a link', async () => {
    const clinic = await world.people.clinic({ phone: PHONE })
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book`, width: 360 })
    await page.getByText('Call the clinic to make an appointment.').waitFor()
    await page.locator(TEL, { hasText: PHONE }).waitFor()
    await world.check(page)
    await page.context().close()
  })

  test('where no time is free, the number of the chosen place is shown', async () => {
    const { clinic, schedule, north } = await setUp({ service: { max_days_ahead: 3 } })
    for (const { id } of schedule.specialists)
      await world.services.database.query('update calendars set is_active = false where specialist_id = $1', [id])
    const path = `${clinic.slug}/book?service=${schedule.service.id}`
    const page = await world.open({ app: 'portal', path })
    await page.getByText(/or call the clinic/).waitFor()
    await page.locator(TEL).waitFor()
    await page.getByLabel('Where').selectOption({ label: 'Centru, București' })
    await page.locator('a[href="tel:+40215550199"]').waitFor()
    await page.getByLabel('Where').selectOption(north.id)
    await page.locator(TEL).waitFor()
    await world.check(page)
    await page.context().close()
  })

  test('a visit that can no longer be changed shows the number of its place, and so does a refusal', async () => {
    const { clinic, schedule, centre } = await setUp()
    const { email, record } = await world.people.patient(clinic)
    const [ana] = schedule.specialists
    const hour = 3_600_000
    const at = new Date((Math.floor(Date.now() / hour) + 3) * hour).toISOString()
    const { id } = await world.api.post('/v1/appointments', clinic.admin, {
      service_id: schedule.service.id,
      specialist_id: ana?.id,
      location_id: centre.id,
      patient_id: record.id,
      starts_at: at,
    })
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits`, width: 360 })
    await page.getByText(/too late to change this appointment online/).waitFor()
    await page.locator('a[href="tel:+40215550199"]').waitFor()
    await page.getByText('Strada Lipscani 12, București').waitFor()
    await world.check(page)
    await checkNarrow(page)
    // In time when the page was read, too late when the button is pressed.
    await world.services.database.query('update appointments set starts_at = $2, ends_at = $3 where id = $1', [
      id,
      new Date(Date.now() + 48 * hour).toISOString(),
      new Date(Date.now() + 49 * hour).toISOString(),
    ])
    await page.reload()
    await page.getByRole('button', { name: 'Cancel the appointment' }).click()
    await world.services.database.query('update services set cancel_notice_minutes = 43200 where id = $1', [
      schedule.service.id,
    ])
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel the appointment' }).click()
    await dialog.getByText(/Call the clinic/).waitFor()
    await dialog.locator(TEL).waitFor()
    await world.check(page)
    await page.context().close()
  })

  test('a time inside the notice promises neither moving nor cancelling, before and after the booking', async () => {
    const { clinic, schedule } = await setUp({
      service: { cancel_notice_minutes: 43_200, reschedule_notice_minutes: 43_200 },
    })
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?service=${schedule.service.id}` })
    await page.getByRole('button', { name: '10:00 Centru' }).click()
    await page.getByText(/you will not be able to move or cancel it online/).waitFor()
    await page.locator('a[href="tel:+40215550199"]').waitFor()
    await page.getByText('We send the confirmation there, with a link to the appointment.').waitFor()
    await world.check(page)
    await page.locator('[name="booker.name"]').fill('Ioana')
    await page.locator('[name="booker.email"]').fill(world.people.newEmail('booker'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor()
    await page.getByText(/with a link to the appointment\./).waitFor()
    await page.getByRole('link', { name: 'See the appointment' }).click()
    await page.getByText(/too late to change this appointment online/).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Move' }).count(), 0)
    await world.check(page)
    await page.context().close()
  })

  test('with one place, times name no place', async () => {
    const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
    await world.people.publishNotice(clinic)
    const { service } = await scheduleOf(world.services, clinic)
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?service=${service.id}` })
    await page.getByRole('button', { name: '10:00', exact: true }).waitFor()
    await page.context().close()
  })
})
