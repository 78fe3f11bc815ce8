import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { mergeSpans } from '@tendon/availability'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import {
  addSpecialist,
  created,
  holdBody,
  nextMonday,
  type SchedulingClinic,
  schedulingClinic,
} from '../clinic.testing.ts'
import { calendarOf } from './calendar.testing.ts'

const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The week, in Bucharest, that ends with the Sunday on which clocks change: of next year, so that it is in the future. */
function weekOfChange(month: 2 | 9) {
  const year = new Date().getUTCFullYear() + 1
  const lastDay = new Date(Date.UTC(year, month + 1, 0))
  const sunday = lastDay.getTime() - lastDay.getUTCDay() * DAY_MS
  const [before, behind] = month === 2 ? [2, 3] : [3, 2]
  return {
    day: (index: number) => new Date(sunday - (6 - index) * DAY_MS).toISOString().slice(0, 10),
    period: {
      from: new Date(sunday - 6 * DAY_MS - before * HOUR_MS),
      to: new Date(sunday + DAY_MS - behind * HOUR_MS),
    },
  }
}

describe('what is around the visits of the calendar', () => {
  let core: TestCore
  let calendar: ReturnType<typeof calendarOf>
  before(async () => {
    core = await sharedCore()
    calendar = calendarOf(core)
  })
  after(() => core.close())

  const from = nextMonday(0)
  const week = { from, to: new Date(from.getTime() + 7 * DAY_MS) }
  const post = (clinic: SchedulingClinic, path: string, body: object) =>
    created(core.post(path, { as: clinic.admin, body }))
  const addLocation = (clinic: SchedulingClinic) =>
    post(clinic, `/v1/organizations/${clinic.id}/locations`, { name: randomUUID() })
  const daily = (start: string, end: string, days = [1, 2, 3, 4, 5]) => days.map((weekday) => ({ weekday, start, end }))

  /** By specialist, the time in which availability offers a service of a quarter of an hour. */
  async function offered(clinic: SchedulingClinic, period: { from: Date; to: Date }, locationId?: string) {
    const query = new URLSearchParams({
      service_id: clinic.service.id,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      limit: '1000',
      ...(locationId ? { location_id: locationId } : {}),
    })
    const { body, text } = await core.get(`/v1/availability?${query.toString()}`, { as: clinic.admin })
    assert.ok(body.data.length < 1000, text.slice(0, 100))
    const slots: { specialist_id: string; starts_at: string }[] = body.data
    const bySpecialist = Map.groupBy(slots, ({ specialist_id }) => specialist_id)
    return Object.fromEntries(
      [...bySpecialist].map(([id, times]) => [
        id,
        mergeSpans(
          times.map(({ starts_at }) => ({ fromMs: Date.parse(starts_at), toMs: Date.parse(starts_at) + QUARTER_MS })),
        ).map((span) => ({ from: new Date(span.fromMs).toISOString(), to: new Date(span.toMs).toISOString() })),
      ]),
    )
  }
  async function hours(clinic: SchedulingClinic, period: { from: Date; to: Date; location_id?: string }) {
    const { specialists } = await calendar.read(clinic.admin, period)
    return Object.fromEntries(specialists.filter((one) => one.hours.length > 0).map((one) => [one.id, one.hours]))
  }

  for (const [name, month] of [
    ['March', 2],
    ['October', 9],
  ] as const) {
    test(`working hours are those in which availability offers times, in the week of ${name} in which clocks change`, async () => {
      const { day, period } = weekOfChange(month)
      const clinic = await schedulingClinic(core, { duration_minutes: 15, slot_interval_minutes: 15 })
      await core.database.query(`update organizations set plan = 'pro' where id = $1`, [clinic.id])
      const [centre, north, closed] = [await addLocation(clinic), await addLocation(clinic), await addLocation(clinic)]
      const [ana, dan, off] = [
        await addSpecialist(core, clinic, daily('09:00', '13:00', [1, 2, 3, 4, 5, 6, 7])),
        await addSpecialist(core, clinic, daily('22:00', '01:00', [3, 5])),
        await addSpecialist(core, clinic, daily('09:00', '17:00')),
      ]
      const add = (values: object) => post(clinic, '/v1/calendars', { specialist_id: ana.id, name: 'More', ...values })
      const there = await add({ location_id: centre.id, weekly_hours: daily('13:00', '17:00') })
      await add({ location_id: north.id, weekly_hours: daily('18:00', '20:00', [7]) })
      await add({ location_id: closed.id, weekly_hours: daily('20:00', '21:00') })
      const unused = await add({ weekly_hours: daily('21:00', '21:30') })
      const overrides = `/v1/calendars/${there.id}/overrides`
      await post(clinic, overrides, { date: day(1), windows: [] })
      await post(clinic, overrides, { date: day(2), windows: [{ start: '14:00', end: '15:30' }] })
      await post(clinic, '/v1/closures', { date: day(3), name: 'Holiday' })
      await post(clinic, '/v1/closures', { date: day(4), location_id: centre.id, name: 'Repairs' })
      await core.database.query('update locations set deleted_at = now() where id = $1', [closed.id])
      await core.database.query('update calendars set is_active = false where id = $1', [unused.id])
      await core.database.query('update specialists set scheduling_active = false where id = $1', [off.id])

      const shown = await hours(clinic, period)
      assert.deepEqual(new Set(Object.keys(shown)), new Set([clinic.specialist.id, ana.id, dan.id]))
      assert.deepEqual(shown, await offered(clinic, period))
      assert.deepEqual(
        await hours(clinic, { ...period, location_id: centre.id }),
        await offered(clinic, period, centre.id),
      )
      const sunday = shown[ana.id]?.filter((span) => span.from.startsWith(day(6))) ?? []
      assert.equal(sunday[0]?.from.slice(11, 16), month === 2 ? '06:00' : '07:00', '09:00 on the new clock')
      assert.equal(shown[ana.id]?.[0]?.from.slice(11, 16), month === 2 ? '07:00' : '06:00')
    })
  }

  test('days of detail=taken are those of the clinic, in the weeks in which clocks change', async () => {
    for (const month of [2, 9] as const) {
      const { day, period } = weekOfChange(month)
      const clinic = await schedulingClinic(core)
      // The last hour of Saturday, the first and the last of Sunday, the last before the end of the period.
      const sunday = period.to.getTime() - (month === 2 ? 23 : 25) * HOUR_MS
      const starts = [sunday - HOUR_MS, sunday, period.to.getTime() - HOUR_MS]
      for (const start of starts)
        await post(clinic, '/v1/appointments', {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: new Date(start).toISOString(),
        })
      const { taken = [] } = await calendar.read(clinic.admin, { ...period, detail: 'taken' })
      assert.deepEqual(
        taken.map((row) => [row.day, row.visits]),
        [
          [day(5), 1],
          [day(6), 2],
        ],
      )
    }
  })

  test('a hold is shown with its buffers while it lives, and not after it was released or has expired', async () => {
    const clinic = await schedulingClinic(core, { buffer_before_minutes: 15, buffer_after_minutes: 30 })
    const busy = async () => (await calendar.read(clinic.admin, { ...week, detail: 'taken' })).busy
    const hold = () => created(core.post('/v1/public/holds', { body: holdBody(clinic) }))
    const [at, minute] = [nextMonday().getTime(), 60_000]
    const held = [
      {
        specialist_id: clinic.specialist.id,
        from: new Date(at - 15 * minute).toISOString(),
        to: new Date(at + 90 * minute).toISOString(),
        kind: 'hold',
      },
    ]
    const first = await hold()
    assert.deepEqual(await busy(), held)
    const { status } = await core.delete(`/v1/public/holds/${first.id}`)
    assert.equal(status, 204)
    assert.deepEqual(await busy(), [])
    await hold()
    assert.deepEqual(await busy(), held)
    const other = await addSpecialist(core, clinic)
    assert.deepEqual((await calendar.read(clinic.admin, { ...week, specialist_id: other.id })).busy, [])
    await core.database.query(
      `update time_claims set expires_at = clock_timestamp() - interval '1 second' where organization_id = $1`,
      [clinic.id],
    )
    assert.deepEqual(await busy(), [])
  })

  test('a hold that becomes a visit is no longer busy time', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await created(core.post('/v1/public/holds', { body: holdBody(clinic) }))
    await post(clinic, '/v1/appointments', { hold_id: id })
    const view = await calendar.read(clinic.admin, week)
    assert.deepEqual([view.busy, view.visits?.length], [[], 1])
  })

  test('busy times of connected calendars are merged, cut at the period, and those of other clinics are not shown', async () => {
    const [clinic, foreign] = [await schedulingClinic(core), await schedulingClinic(core)]
    const add = (of: SchedulingClinic, start: Date, end: Date) =>
      core.database.query(
        'insert into busy_times (organization_id, specialist_id, integration_id, starts_at, ends_at) values ($1, $2, $3, $4, $5)',
        [of.id, of.specialist.id, randomUUID(), start, end],
      )
    await add(clinic, nextMonday(8), nextMonday(10))
    await add(clinic, nextMonday(9), nextMonday(11))
    await add(clinic, new Date(week.to.getTime() - HOUR_MS), new Date(week.to.getTime() + DAY_MS))
    await add(clinic, week.to, new Date(week.to.getTime() + DAY_MS))
    await add(foreign, nextMonday(8), nextMonday(10))
    const { busy } = await calendar.read(clinic.admin, week)
    const external = { specialist_id: clinic.specialist.id, kind: 'external' }
    assert.deepEqual(busy, [
      { ...external, from: nextMonday(8).toISOString(), to: nextMonday(11).toISOString() },
      { ...external, from: new Date(week.to.getTime() - HOUR_MS).toISOString(), to: week.to.toISOString() },
    ])
  })

  test('closures of the days are shown; with a location, those of other locations are not', async () => {
    const clinic = await schedulingClinic(core)
    const [centre, north] = [await addLocation(clinic), await addLocation(clinic)]
    const day = (offset: number) => new Date(from.getTime() + offset * DAY_MS).toISOString().slice(0, 10)
    const close = (name: string, values: object) => post(clinic, '/v1/closures', { name, ...values })
    const whole = await close('Holiday', { date: day(-3), date_to: day(0) })
    const there = await close('Repairs', { date: day(2), location_id: north.id })
    await close('Later', { date: day(9) })
    const names = async (values: object) =>
      (await calendar.read(clinic.admin, { ...week, ...values })).closures.map(({ name }) => name)
    assert.deepEqual(await names({}), ['Holiday', 'Repairs'])
    assert.deepEqual(await names({ location_id: north.id }), ['Holiday', 'Repairs'])
    assert.deepEqual(await names({ location_id: centre.id }), ['Holiday'])
    const { closures, specialists } = await calendar.read(clinic.admin, week)
    assert.deepEqual(closures, [
      { id: whole.id, date: day(-3), date_to: day(0), location_id: null, name: 'Holiday' },
      { id: there.id, date: day(2), date_to: null, location_id: north.id, name: 'Repairs' },
    ])
    assert.deepEqual(specialists, [{ id: clinic.specialist.id, name: 'Ana', hours: [] }], 'closed on Monday')
  })
})
