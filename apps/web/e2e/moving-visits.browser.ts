import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { checkNarrow } from './browser.ts'
import type { TestClinic } from './people.ts'
import { holdAt, type Schedule, scheduleOf } from './scheduling.ts'
import { nameOf, VIEWS } from './views.ts'
import { SKIPPED, useWorld } from './world.ts'

const PHONE = '+40 21 555 0100'
const TEL = 'a[href="tel:+40215550100"]'

describe('moving a visit', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function setUp(service: object = {}) {
    const clinic = await world.people.clinic({ phone: PHONE, time_zone: 'Europe/Bucharest' })
    await world.people.publishNotice(clinic)
    const ids: string[] = []
    for (const name of ['Centru', 'Nord'])
      ids.push((await world.api.post(`/v1/organizations/${clinic.id}/locations`, clinic.admin, { name })).id)
    const schedule = await scheduleOf(world.services, clinic, { service, locations: ids })
    return { clinic, schedule, locations: ids }
  }

  /** A visit with the second specialist, at the second place. */
  async function visitOf(clinic: TestClinic, schedule: Schedule, values: object = {}) {
    const { email, record } = await world.people.patient(clinic)
    const visit = await world.api.post('/v1/appointments', clinic.admin, {
      service_id: schedule.service.id,
      specialist_id: schedule.specialists[1]?.id,
      patient_id: record.id,
      starts_at: holdAt(clinic, schedule).starts_at,
      ...values,
    })
    return { email, visit, path: `${clinic.slug}/visits/${visit.id}/move` }
  }

  /** A booking without an account, and the path of its link. Only the mail has the real token, so the test stores its own. */
  async function bookingOf(clinic: TestClinic, schedule: Schedule) {
    const send = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(world.services.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await response.json()).data
    }
    const hold = await send('/v1/public/holds', {
      ...holdAt(clinic, schedule),
      specialist_id: schedule.specialists[1]?.id,
    })
    const booker = { name: 'Ioana', email: world.people.newEmail('booker') }
    await send('/v1/public/bookings', { hold_id: hold.id, booker })
    const token = randomUUID()
    await world.services.database.query(
      'update booking_links set token_hash = sha256($1::bytea) where organization_id = $2',
      [token, clinic.id],
    )
    return `bookings/${token}`
  }

  for (const view of VIEWS) {
    const ro = view.language === 'ro'

    test(`specialist and place stay, and every time names both (${nameOf(view)})`, async () => {
      const { clinic, schedule, locations } = await setUp()
      const [, andrei] = schedule.specialists
      const { email, path } = await visitOf(clinic, schedule, { location_id: locations[1] })
      const page = await world.open({ app: 'portal', as: email, path, ...view })
      await page.getByText(ro ? 'Cu Andrei Popescu' : 'With Andrei Popescu').waitFor()
      const times = page.locator('section:last-of-type').getByRole('button')
      await times.first().waitFor()
      const names = await times.allTextContents()
      assert.ok(names.length > 3)
      for (const name of names) assert.match(name, /^\d\d:\d\d Andrei Popescu Nord$/)
      await world.check(page)
      await checkNarrow(page)
      await page
        .getByRole('group', { name: ro ? 'Alegeți o zi' : 'Choose a day' })
        .getByRole('button')
        .nth(3)
        .click()
      await page.getByRole('button', { name: '11:00 Andrei Popescu Nord' }).click()
      await page.getByRole('button', { name: ro ? 'Mutați la această oră' : 'Move to this time' }).click()
      await page.getByRole('article').locator('time', { hasText: '11:00' }).waitFor()
      const [row] = await world.services.database.query<{ specialist_id: string; location_id: string }>(
        "select specialist_id, location_id from appointments where organization_id = $1 and status = 'confirmed'",
        [clinic.id],
      )
      assert.deepEqual(row, { specialist_id: andrei?.id, location_id: locations[1] })
      await page.context().close()
    })
  }

  test('another specialist and place can be chosen, and the visit gets what the time names', async () => {
    const { clinic, schedule, locations } = await setUp()
    const { email, path } = await visitOf(clinic, schedule, { location_id: locations[1] })
    const page = await world.open({ app: 'portal', as: email, path })
    await page.getByRole('button', { name: '10:00 Andrei Popescu Nord' }).waitFor()
    await page.getByLabel('With', { exact: true }).selectOption({ label: 'Any available specialist' })
    await page.getByLabel('Where').selectOption({ label: 'Any location' })
    await page.getByRole('button', { name: '10:00 Andrei Popescu Nord' }).waitFor()
    await page.getByRole('button', { name: '10:00 Ana Ionescu Centru' }).click()
    await page.getByRole('timer').waitFor()
    await world.check(page)
    await page.getByRole('button', { name: 'Move to this time' }).click()
    await page.getByRole('article').getByText('Ana Ionescu').waitFor()
    await page.getByRole('article').getByText('Centru').waitFor()
    await page.context().close()
  })

  test('a booking without an account keeps specialist and place too', async () => {
    const { clinic, schedule } = await setUp()
    const path = await bookingOf(clinic, schedule)
    const page = await world.open({ app: 'portal', path: `${path}/move`, width: 360 })
    const times = page.locator('section:last-of-type').getByRole('button')
    await times.first().waitFor()
    for (const name of await times.allTextContents()) assert.match(name, /^\d\d:\d\d Andrei Popescu Nord$/)
    await world.check(page)
    await page.context().close()
  })

  test('a new time inside the notice is announced before it is taken', async () => {
    const { clinic, schedule } = await setUp({ cancel_notice_minutes: 10 * 1440, reschedule_notice_minutes: 5 * 1440 })
    const day = new Date(Date.now() + 20 * 86_400_000)
    day.setUTCHours(10, 0, 0, 0)
    const { email, path } = await visitOf(clinic, schedule, { starts_at: day.toISOString() })
    const page = await world.open({ app: 'portal', as: email, path })
    const days = page.getByRole('group', { name: 'Choose a day' }).getByRole('button')
    // The times of the day before stay until the address names the new day.
    const chooseDay = async (place: number) => {
      await days.nth(place).click()
      await days.nth(place).and(page.locator('[aria-pressed=true]')).waitFor()
    }
    await chooseDay(0)
    await page.getByRole('button', { name: /^10:00/ }).click()
    await page.getByText(/you will not be able to move or cancel it online/).waitFor()
    await page.locator(TEL).waitFor()
    await world.check(page)
    await page.getByRole('button', { name: 'Choose another time' }).click()
    await chooseDay(6)
    await page.getByRole('button', { name: /^10:00/ }).click()
    await page.getByText(/will not be able to cancel the appointment online. You can move it until/).waitFor()
    await page.getByRole('button', { name: 'Choose another time' }).click()
    await page.getByRole('button', { name: /^Show \d+ more days$/ }).click()
    await chooseDay(15)
    await page.getByRole('button', { name: /^10:00/ }).click()
    await page.getByText(/You can move it online until .* and cancel it until/).waitFor()
    await page.context().close()
  })

  test('a cancelled or late visit has no times to choose; the page says its state (ro)', async () => {
    const { clinic, schedule } = await setUp()
    const { email, visit, path } = await visitOf(clinic, schedule)
    await world.api.put(`/v1/appointments/${visit.id}/status`, clinic.admin, { status: 'cancelled' })
    const page = await world.open({ app: 'portal', as: email, path, language: 'ro', scheme: 'dark', width: 360 })
    await page.getByText('Starea ei este acum: Anulată.').waitFor()
    assert.equal(await page.getByRole('group', { name: 'Alegeți o zi' }).count(), 0)
    await world.check(page)
    const late = await visitOf(clinic, schedule)
    await world.services.database.query('update services set reschedule_notice_minutes = 43200 where id = $1', [
      schedule.service.id,
    ])
    const other = await world.open({ app: 'portal', as: late.email, path: late.path })
    await other.getByText(/too late to change this appointment online/).waitFor()
    await other.locator(TEL).waitFor()
    assert.equal(await other.getByRole('group', { name: 'Choose a day' }).count(), 0)
    await world.check(other)
    for (const one of [page, other]) await one.context().close()
  })

  test('a cancelled or late booking without an account has no times to choose', async () => {
    const { clinic, schedule } = await setUp()
    const path = await bookingOf(clinic, schedule)
    const setUpService = (minutes: number) =>
      world.services.database.query('update services set reschedule_notice_minutes = $2 where id = $1', [
        schedule.service.id,
        minutes,
      ])
    await setUpService(43_200)
    const page = await world.open({ app: 'portal', path: `${path}/move` })
    await page.getByText(/too late to change this appointment online/).waitFor()
    await page.locator(TEL).waitFor()
    await world.check(page)
    // It can still be cancelled: the page of the booking promises that and nothing else.
    await page.getByRole('link', { name: 'Go to your booking' }).click()
    await page.getByText(/You can cancel it online until .* It is too late to move it online/).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Move' }).count(), 0)
    await world.check(page)
    await setUpService(60)
    await world.services.database.query(
      "update appointments set status = 'cancelled' where organization_id = $1 and status = 'confirmed'",
      [clinic.id],
    )
    await page.goto(`${world.services.url}/portal/${path}/move`)
    await page.getByText('Its status is now: Cancelled.').waitFor()
    assert.equal(await page.getByRole('group', { name: 'Choose a day' }).count(), 0)
    await world.check(page)
    await page.context().close()
  })

  test('a visit that the clinic cancels while a time is chosen says so, and so does a refused cancellation', async () => {
    const { clinic, schedule } = await setUp()
    const { email, visit, path } = await visitOf(clinic, schedule)
    const second = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits` })
    await second.getByRole('button', { name: 'Cancel the appointment' }).click()
    const page = await world.open({ app: 'portal', as: email, path })
    await page.getByRole('button', { name: /^10:00/ }).click()
    await page.getByRole('timer').waitFor()
    await world.api.put(`/v1/appointments/${visit.id}/status`, clinic.admin, { status: 'cancelled' })
    await page.getByRole('button', { name: 'Move to this time' }).click()
    await page.getByText('Its status is now: Cancelled.').waitFor()
    const dialog = second.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel the appointment' }).click()
    await dialog.getByText('This step is not possible: the status is now “cancelled”.').waitFor()
    await world.check(second)
    await second.keyboard.press('Escape')
    await second.getByText('You have no upcoming appointment.').waitFor()
    for (const one of [page, second]) await one.context().close()
  })
})
