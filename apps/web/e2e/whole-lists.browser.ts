import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestClinic } from './people.ts'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

const DAY_MS = 86_400_000

/** A part of a list must never be shown as the list. */
describe('long lists', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function theClinic(names?: readonly string[]) {
    const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
    await world.people.publishNotice(clinic)
    return { clinic, schedule: await scheduleOf(world.services, clinic, names ? { names } : {}) }
  }
  type Made = Awaited<ReturnType<typeof theClinic>>

  const book = (
    { clinic, schedule }: Made,
    { record }: Awaited<ReturnType<typeof world.people.patient>>,
    at: Date,
  ): Promise<{ id: string }> =>
    world.api.post('/v1/appointments', clinic.admin, {
      service_id: schedule.service.id,
      specialist_id: schedule.specialists[0]?.id,
      patient_id: record.id,
      starts_at: at.toISOString(),
    })

  /** Repeats a visit: `count` times on `days` days from `from` on, all at the same hours. */
  const repeat = (id: string, count: number, from: Date, days: number) =>
    world.services.database.query(
      `insert into appointments (organization_id, service_id, specialist_id, patient_profile_id, patient_id, starts_at,
         ends_at, time_zone, mode, status, source, overlap_allowed)
       select organization_id, service_id, specialist_id, patient_profile_id, patient_id, at, at + interval '1 hour',
         time_zone, mode, status, source, true
       from appointments, generate_series(0, $2::int - 1) as n,
         lateral (select $3::timestamptz + (n % $4::int) * interval '1 day' + (n / $4 % 8) * interval '1 hour' as at) as t
       where id = $1`,
      [id, count, from, days],
    )

  /** Monday to Sunday after next, at 07:00 UTC: inside the working hours all year. */
  function aWeek() {
    const monday = new Date(Date.now() + 14 * DAY_MS)
    monday.setUTCHours(7, 0, 0, 0)
    monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
    return { monday, sunday: new Date(monday.getTime() + 6 * DAY_MS) }
  }
  const calendarOf = ({ slug }: TestClinic, at: Date) => `${slug}/calendar?day=${at.toISOString().slice(0, 10)}`

  async function fullWeek(visits: number) {
    const made = await theClinic()
    const [maria, dan] = [
      await world.people.patient(made.clinic, { first: 'Maria', last: 'Stan' }),
      await world.people.patient(made.clinic, { first: 'Dan', last: 'Luca' }),
    ]
    const { monday, sunday } = aWeek()
    const { id } = await book(made, maria, monday)
    await repeat(id, visits - 2, new Date(monday.getTime() + DAY_MS), 5)
    await book(made, dan, sunday)
    return { ...made, monday }
  }

  /** By selector: roles and names of a thousand elements take long to compute. */
  const visitsOf = (page: Page, name: RegExp) => page.locator('main li a', { hasText: name })

  test('a week with 630 visits shows all of them, also those of Sunday', async () => {
    const { clinic, monday } = await fullWeek(630)
    for (const view of [
      { language: 'en', scheme: 'light', width: 1440 },
      { language: 'ro', scheme: 'dark', width: 360 },
    ] as const) {
      const page = await world.open({ app: 'console', as: clinic.admin, path: calendarOf(clinic, monday), ...view })
      await visitsOf(page, /Dan Luca/).waitFor()
      assert.equal(await visitsOf(page, /Maria Stan|Dan Luca/).count(), 630)
      await page.context().close()
    }
  })

  test('when a later page fails, no day is drawn as empty, and “Try again” loads the week', async () => {
    const { clinic, monday } = await fullWeek(501)
    for (const width of [1440, 360]) {
      const page = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug, width })
      const laterPage = (url: URL) => url.pathname === '/v1/appointments' && url.searchParams.get('page') === '2'
      const { promise: held, resolve: fail } = Promise.withResolvers<void>()
      await page.route(laterPage, async (route) => {
        await held
        await route.fulfill({ status: 503, body: '' })
      })
      const asked = page.waitForRequest((request) => laterPage(new URL(request.url())))
      await page.goto(`${world.services.url}/console/${calendarOf(clinic, monday)}`)
      await asked
      await page.locator('main [aria-busy=true]').waitFor()
      assert.equal(await page.locator('main section').count(), 0)
      fail()
      await page.getByRole('alert').waitFor()
      assert.equal(await page.locator('main section').count(), 0)
      assert.equal(await page.getByText('No visit').count(), 0)
      await world.check(page)
      await page.unroute(laterPage)
      await page.getByRole('button', { name: 'Try again' }).click()
      await visitsOf(page, /Dan Luca/).waitFor()
      await page.context().close()
    }
  })

  test('a patient with 120 visits to come sees the next one first', async () => {
    const made = await theClinic()
    const patient = await world.people.patient(made.clinic)
    const { monday } = aWeek()
    const { id } = await book(made, patient, monday)
    await repeat(id, 120, new Date(monday.getTime() + DAY_MS), 120)
    const page = await world.open({ app: 'portal', as: patient.email, path: `${made.clinic.slug}/visits`, width: 360 })
    await page.getByRole('article').first().waitFor()
    assert.equal(await page.getByRole('article').count(), 121)
    const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' }).format(monday)
    assert.match(await page.getByRole('article').first().innerText(), new RegExp(`\\b${day.split(' ')[0]}\\b`))
    await world.check(page)
    await page.context().close()
  })

  test('the 60th specialist can be chosen in the calendar and has working hours', async () => {
    const made = await theClinic(['Ana Ionescu'])
    const operator = await world.people.operator()
    await world.api.put(`/v1/organizations/${made.clinic.id}/plan`, operator, { plan: 'dedicated' })
    await world.services.database.query(
      `insert into specialists (organization_id, name, slug, scheduling_timezone)
       select $1, 'Zoe ' || lpad(n::text, 2, '0'), 'zoe-' || n, 'Europe/Bucharest' from generate_series(2, 60) as n`,
      [made.clinic.id],
    )
    const page = await world.open({ app: 'console', as: made.clinic.admin, path: `${made.clinic.slug}/calendar` })
    const select = page.getByLabel('Specialist', { exact: true })
    await select.locator('option', { hasText: 'Zoe 02' }).waitFor({ state: 'attached' })
    assert.equal(await select.locator('option', { hasText: 'Zoe' }).count(), 59)
    await page.goto(`${world.services.url}/console/${made.clinic.slug}/settings/hours`)
    await page.getByRole('region', { name: 'Zoe 02' }).waitFor()
    assert.equal(await page.getByRole('region', { name: /Zoe/ }).count(), 59)
    await page.context().close()
  })
})
