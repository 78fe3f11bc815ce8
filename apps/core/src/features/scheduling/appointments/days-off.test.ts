import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { created, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'

describe('appointments on days off', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const WEEK_MS = 7 * 86_400_000
  const dateOf = (at: Date) => at.toISOString().slice(0, 10)
  const DAY = dateOf(nextMonday())
  const book = (clinic: SchedulingClinic, values: object = {}) =>
    core.post('/v1/appointments', {
      as: clinic.admin,
      body: {
        service_id: clinic.service.id,
        specialist_id: clinic.specialist.id,
        starts_at: nextMonday().toISOString(),
        ...values,
      },
    })
  const list = async (clinic: SchedulingClinic, query: string) => {
    const { status, body, text } = await core.get(`/v1/appointments${query}`, { as: clinic.admin })
    assert.equal(status, 200, text)
    return body.data.map(({ id }: { id: string }) => id)
  }
  const unsettled = (clinic: SchedulingClinic) => list(clinic, '?day_off=unsettled')
  const read = async (clinic: SchedulingClinic, id: string) =>
    (await core.get(`/v1/appointments/${id}`, { as: clinic.admin })).body.data
  async function calendarOf(clinic: SchedulingClinic): Promise<string> {
    const { body } = await core.get(`/v1/calendars?specialist_id=${clinic.specialist.id}`, { as: clinic.admin })
    return body.data[0].id
  }
  const addDayOff = async (clinic: SchedulingClinic, values: object = {}) =>
    created(
      core.post(`/v1/calendars/${await calendarOf(clinic)}/overrides`, {
        as: clinic.admin,
        body: { date: DAY, windows: [], reason: 'Conference', ...values },
      }),
    )
  const close = (clinic: SchedulingClinic, values: object = {}) =>
    created(core.post('/v1/closures', { as: clinic.admin, body: { date: DAY, name: 'Flood', ...values } }))
  const keep = (clinic: SchedulingClinic, id: string, isKept = true) =>
    core.patch(`/v1/appointments/${id}`, { as: clinic.admin, body: { kept_on_day_off: isKept } })

  test('a day off lists its visits before it is saved, and no visit of another day or clinic', async () => {
    const clinic = await schedulingClinic(core)
    const other = await schedulingClinic(core)
    const visit = await created(book(clinic))
    await created(book(clinic, { starts_at: new Date(nextMonday().getTime() + WEEK_MS).toISOString() }))
    await created(book(other))
    const calendar = await calendarOf(clinic)
    assert.deepEqual(await list(clinic, `/affected?date=${DAY}&calendar_id=${calendar}`), [visit.id])
    assert.deepEqual(await list(clinic, `/affected?date=${DAY}`), [visit.id], 'a closure of the clinic')
    assert.deepEqual(await list(clinic, `/affected?date=${DAY}&location_id=${randomUUID()}`), [])
    const tuesday = dateOf(new Date(nextMonday().getTime() + 86_400_000))
    assert.deepEqual(await list(clinic, `/affected?date=${tuesday}&calendar_id=${calendar}`), [])
    assert.deepEqual(await unsettled(clinic), [], 'nothing was saved')

    const refused = async (query: string, as: Person = clinic.admin) => {
      const { status, body } = await core.get(`/v1/appointments/affected?${query}`, { as })
      return [status, body.error.code]
    }
    assert.deepEqual(await refused(`date=${DAY}&calendar_id=${await calendarOf(other)}`), [404, 'calendar_not_found'])
    assert.deepEqual(await refused(`date=${DAY}&date_to=2020-01-01`), [422, 'validation_failed'])
    const blind = await core.memberWith(clinic, ['appointments.view_org'])
    assert.deepEqual(await refused(`date=${DAY}`, blind), [403, 'forbidden'])
    assert.equal((await core.get('/v1/appointments?day_off=unsettled', { as: blind })).status, 403)
    const alone = await core.get(`/v1/appointments/${visit.id}`, { as: blind })
    assert.deepEqual([alone.status, 'day_off' in alone.body.data], [200, false])
  })

  test('visits of a day off are unsettled until each is moved, cancelled or kept', async () => {
    const clinic = await schedulingClinic(core)
    const [moved, cancelled, kept] = [
      await created(book(clinic)),
      await created(book(clinic, { starts_at: nextMonday(11).toISOString() })),
      await created(book(clinic, { starts_at: nextMonday(12).toISOString() })),
    ]
    assert.equal((await read(clinic, moved.id)).day_off, null)
    await addDayOff(clinic)
    assert.deepEqual(new Set(await unsettled(clinic)), new Set([moved.id, cancelled.id, kept.id]))
    assert.deepEqual((await read(clinic, kept.id)).day_off, { reason: 'Conference', is_kept: false })

    const starts_at = new Date(nextMonday().getTime() + WEEK_MS).toISOString()
    const move = { as: clinic.admin, body: { starts_at } }
    assert.equal((await core.post(`/v1/appointments/${moved.id}/reschedule`, move)).status, 200)
    const cancel = { as: clinic.admin, body: { status: 'cancelled' } }
    assert.equal((await core.put(`/v1/appointments/${cancelled.id}/status`, cancel)).status, 200)
    assert.deepEqual(await unsettled(clinic), [kept.id])
    assert.equal((await keep(clinic, kept.id)).status, 200)
    assert.deepEqual(await unsettled(clinic), [])
    assert.deepEqual(await list(clinic, '?day_off=kept'), [kept.id])
    assert.deepEqual((await read(clinic, kept.id)).day_off, { reason: 'Conference', is_kept: true })
    await keep(clinic, kept.id, false)
    assert.deepEqual(await unsettled(clinic), [kept.id])
  })

  test('a visit stays kept for the days off that existed then; a later day off asks again', async () => {
    const clinic = await schedulingClinic(core)
    const visit = await created(book(clinic))
    await addDayOff(clinic)
    await keep(clinic, visit.id)
    assert.deepEqual(await unsettled(clinic), [])
    const closure = await close(clinic)
    assert.deepEqual(await unsettled(clinic), [visit.id])
    assert.deepEqual((await read(clinic, visit.id)).day_off, { reason: 'Flood', is_kept: false })
    await keep(clinic, visit.id)
    assert.deepEqual(await unsettled(clinic), [])
    const longer = { as: clinic.admin, body: { date_to: DAY } }
    assert.equal((await core.patch(`/v1/closures/${closure.id}`, longer)).status, 200)
    assert.deepEqual(await unsettled(clinic), [visit.id], 'a changed closure')
    await core.delete(`/v1/closures/${closure.id}`, { as: clinic.admin })
    assert.deepEqual(await unsettled(clinic), [], 'kept on the day off that is left')
  })

  test('a day off that is removed, or is over, asks nothing', async () => {
    const clinic = await schedulingClinic(core)
    const visit = await created(book(clinic))
    const { id, overrides } = await addDayOff(clinic)
    assert.deepEqual(await unsettled(clinic), [visit.id])
    await core.delete(`/v1/calendars/${id}/overrides/${overrides[0].id}`, { as: clinic.admin })
    assert.deepEqual(await unsettled(clinic), [])
    await addDayOff(clinic)
    await core.database.query(
      `update appointments set starts_at = now() - interval '3 h', ends_at = now() - interval '2 h' where id = $1`,
      [visit.id],
    )
    assert.deepEqual(await unsettled(clinic), [])
  })

  test('a series names the weeks that it skips: the time is taken, or on a day off', async () => {
    const clinic = await schedulingClinic(core)
    const week = (index: number) => new Date(nextMonday().getTime() + index * WEEK_MS)
    // Three hours, because the series keeps the time of day in Bucharest and not that of UTC.
    for (const hour of [-1, 0, 1])
      await created(book(clinic, { starts_at: new Date(week(1).getTime() + hour * 3_600_000).toISOString() }))
    await close(clinic, { date: dateOf(week(3)) })
    const repeat = { every_weeks: 1, count: 5, on_conflict: 'skip' }
    const first = await created(book(clinic, { repeat }))
    assert.deepEqual(
      first.skipped_starts_at.map((at: string) => at.slice(0, 10)),
      [dateOf(week(1)), dateOf(week(3))],
    )
    assert.equal((await list(clinic, `?series_id=${first.series_id}`)).length, 3)
    const next = await created(book(clinic, { starts_at: nextMonday(12).toISOString() }))
    assert.deepEqual(next.skipped_starts_at, [])
  })
})
