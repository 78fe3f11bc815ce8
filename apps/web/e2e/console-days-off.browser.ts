import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow } from './browser.ts'
import type { TestClinic } from './people.ts'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld, type Visit } from './world.ts'

const DAY_MS = 86_400_000

describe('console: days off', { skip: SKIPPED }, () => {
  const world = useWorld()
  // One moment for all tests: midnight may come between them.
  const now = Date.now()

  /** A time three days from now, inside working hours in winter and summer. */
  const at = (hour: number, days = 3) => {
    const time = new Date(now + days * DAY_MS)
    time.setUTCHours(hour, 0, 0, 0)
    return time.toISOString()
  }
  const day = at(8).slice(0, 10)

  /** A clinic with a specialist who has a visit with each of these patients on one day. */
  async function bookedClinic(names: readonly string[]) {
    const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
    await world.people.publishNotice(clinic)
    const { service, specialists } = await scheduleOf(world.services, clinic, { names: ['Ana Ionescu'] })
    const book = async (last: string, values: object) => {
      const { record } = await world.people.patient(clinic, { first: 'Maria', last })
      return world.api.post('/v1/appointments', clinic.admin, {
        service_id: service.id,
        specialist_id: specialists[0]?.id,
        patient_id: record.id,
        ...values,
      })
    }
    const visits = []
    for (const [index, last] of names.entries()) visits.push(await book(last, { starts_at: at(8 + index) }))
    return { clinic, visits, service, book }
  }
  const open = (clinic: TestClinic, path: string, view: Partial<Visit> = {}) =>
    world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/${path}`, ...view })
  const statusOf = async (clinic: TestClinic, id: string) =>
    (await world.api.get(`/v1/appointments/${id}`, clinic.admin)).status

  test('a day off lists its visits before it is saved; each is moved, cancelled, kept or left for Today', async () => {
    const { clinic, visits } = await bookedClinic(['Albu', 'Bratu', 'Chiru', 'Dinu'])
    const page = await open(clinic, 'settings/hours')
    await page.getByRole('button', { name: 'Add days off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add days off' })
    await dialog.getByLabel('First day').fill(day)
    await dialog.getByLabel('Reason').fill('Conference')
    const list = dialog.getByRole('group', { name: '4 visits are booked on these days' })
    await list.waitFor()
    const of = (name: string) => dialog.getByRole('group', { name: `Maria ${name}`, exact: true })
    await world.check(page)

    await of('Albu').getByRole('button', { name: 'Move' }).click()
    const moving = page.getByRole('dialog', { name: 'Move the visit' })
    // The day that becomes a day off is not offered.
    await moving.getByRole('group', { name: 'Free times' }).getByRole('button').first().waitFor()
    assert.notEqual(await moving.getByLabel('Day').inputValue(), day)
    await moving.getByLabel('Day').fill(day)
    await moving.getByText('There is no free time on this day.', { exact: false }).waitFor()
    await moving.getByRole('button', { name: 'Next day with free times' }).click()
    await moving.getByRole('group', { name: 'Free times' }).getByRole('button').first().click()
    await moving.getByRole('button', { name: 'Move', exact: true }).click()
    await of('Albu').waitFor({ state: 'detached' })

    await of('Bratu').getByRole('button', { name: 'Cancel the visit' }).click()
    const cancelling = page.getByRole('dialog', { name: 'Cancel this visit?' })
    await cancelling.getByRole('button', { name: 'Cancel the visit' }).click()
    await of('Bratu').waitFor({ state: 'detached' })

    await of('Chiru').getByRole('button', { name: 'Keep' }).click()
    await of('Chiru').getByText('Stays on the day off').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await dialog.waitFor({ state: 'detached' })

    const [albu, bratu, chiru, dinu] = visits
    assert.deepEqual(await Promise.all([albu, bratu, chiru, dinu].map(({ id }) => statusOf(clinic, id))), [
      'cancelled',
      'cancelled',
      'confirmed',
      'confirmed',
    ])
    assert.notEqual((await world.api.get(`/v1/appointments/${albu.id}`, clinic.admin)).rescheduled_to_id, null)

    await page.getByRole('link', { name: 'Today' }).click()
    const panel = page.getByRole('region', { name: 'Visits on days off' })
    await panel.getByText('Maria Dinu').waitFor()
    assert.equal(await panel.getByRole('listitem').count(), 1)
    await world.check(page)
    await panel.getByText('Maria Dinu').click()
    const visit = page.getByRole('dialog', { name: 'Initial assessment' })
    await visit.getByText('This visit is on a day off: Conference.', { exact: false }).waitFor()
    await world.check(page)
    await visit.getByRole('button', { name: 'Keep the visit' }).click()
    await visit.getByText('The clinic keeps it.', { exact: false }).waitFor()
    await page.goto(`${world.services.url}/console/${clinic.slug}`)
    await page.getByRole('region', { name: 'Next visits' }).getByText('Maria Dinu').waitFor()
    await panel.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('the calendar shows who is off, in the week, the day and on a phone', async () => {
    const { clinic } = await bookedClinic(['Albu'])
    const [calendar] = await world.api.get('/v1/calendars', clinic.admin)
    const off = { date: day, windows: [], reason: 'Conference' }
    await world.api.post(`/v1/calendars/${calendar.id}/overrides`, clinic.admin, off)
    const page = await open(clinic, `calendar?day=${day}`, { width: 1400 })
    await page.getByText('Day off · Ana Ionescu · Conference').waitFor()
    await page.getByRole('link', { name: /Maria Albu/ }).waitFor()
    assert.ok((await page.locator('section[data-off=true]').count()) >= 1)
    await world.check(page)
    await page.goto(`${world.services.url}/console/${clinic.slug}/calendar?day=${day}&span=day`)
    await page.getByRole('heading', { name: 'Ana Ionescu' }).getByText('Day off · Conference').waitFor()
    await world.check(page)
    await page.context().close()

    const phone = await open(clinic, `calendar?day=${day}&span=day`, { width: 320, language: 'ro', scheme: 'dark' })
    await phone.getByText('Zi liberă · Ana Ionescu · Conference').waitFor()
    await world.check(phone)
    await checkNarrow(phone)
    await phone.context().close()
  })

  test('a day on which the clinic closes lists its visits too (ro, dark, 320)', async () => {
    const { clinic, visits } = await bookedClinic(['Albu'])
    const page = await open(clinic, 'settings/hours', { language: 'ro', scheme: 'dark', width: 320 })
    await page.getByRole('button', { name: 'Adăugați zile de închidere' }).click()
    const dialog = page.getByRole('dialog', { name: 'Adăugați zile de închidere' })
    await dialog.locator('[name=name]').fill('Inventar')
    await dialog.locator('[name=date]').fill(day)
    await dialog.getByText('În aceste zile este programată 1 vizită').waitFor()
    await dialog.getByText('Evaluare inițială', { exact: false }).waitFor()
    await world.check(page)
    await dialog.getByRole('button', { name: 'Păstrați' }).click()
    await dialog.getByRole('button', { name: 'Salvați' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { day_off } = await world.api.get(`/v1/appointments/${visits[0]?.id}`, clinic.admin)
    assert.deepEqual(day_off, { reason: 'Inventar', is_kept: true })
    await page.context().close()
  })

  test('days off and closed days are removed only after a question', async () => {
    const clinic = await world.people.clinic()
    const { specialists } = await scheduleOf(world.services, clinic, { names: ['Ana Ionescu'] })
    await world.api.post('/v1/closures', clinic.admin, { name: 'Christmas', date: day })
    const page = await open(clinic, 'settings/hours')
    const removes = async (section: string, button: RegExp, title: string) => {
      const region = page.getByRole('region', { name: section })
      const dialog = page.getByRole('dialog', { name: title })
      const remove = region.getByRole('button', { name: button })
      await remove.click()
      await world.check(page)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await remove.click()
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await remove.waitFor({ state: 'detached' })
      await dialog.waitFor({ state: 'detached' })
    }
    await removes('Days on which the clinic is closed', /^Remove closed days: Christmas$/, 'Remove closed days')
    await page.getByText('The closed days are removed.').waitFor()
    assert.deepEqual(await world.api.get('/v1/closures', clinic.admin), [])
    await removes('Ana Ionescu', /^Remove days off: /, 'Remove days off')
    await page.getByText('The days off are removed.').waitFor()
    const [calendar] = await world.api.get(`/v1/calendars?specialist_id=${specialists[0]?.id}`, clinic.admin)
    assert.deepEqual(calendar.overrides, [])
    await page.context().close()
  })

  test('a series names the weeks that it skipped, until the message is closed', async () => {
    const { clinic } = await bookedClinic([])
    const { record } = await world.people.patient(clinic)
    const week = new Date(Date.parse(at(8)) + 7 * DAY_MS)
    await world.api.post('/v1/closures', clinic.admin, { date: week.toISOString().slice(0, 10), name: 'Holiday' })
    const page = await open(clinic, `patients/${record.id}/appointments`)
    await page.getByRole('button', { name: 'Book a visit' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Book a visit' })
    await dialog.getByLabel('Day', { exact: true }).fill(day)
    await dialog.getByRole('group', { name: 'Free times' }).getByRole('button').first().click()
    await dialog.getByLabel('Repeat').selectOption('1')
    await dialog.getByLabel('How many visits').selectOption('3')
    await dialog.getByRole('button', { name: 'Book a visit' }).click()
    const named = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'Europe/Bucharest' })
    const text = `2 visits are booked. Skipped, because the time is taken or on a day off: ${named.format(week)}.`
    await page.getByText(text).waitFor()
    await world.check(page)
    await page.context().close()
  })
})
