import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

interface Clinic {
  id: string
  slug: string
  admin: Person
}

const NOW = new Date('2026-03-01T08:00:00Z')

describe('calendars and availability', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore({ services: { now: () => NOW } })
  })
  after(() => core.close())

  const created = async (answer: Promise<Answer>) => {
    const { status, body, text } = await answer
    assert.equal(status, 201, text)
    return body.data
  }
  const post = (clinic: { admin: Person }, path: string, body: unknown) => core.post(path, { as: clinic.admin, body })
  const specialist = (clinic: Clinic, name = 'Ana') =>
    created(
      post(clinic, '/v1/specialists', { name, slug: `s-${randomUUID()}`, scheduling_timezone: 'Europe/Bucharest' }),
    )
  const service = (clinic: Clinic, values: object = {}) =>
    created(post(clinic, '/v1/services', { name: 'Session', duration_minutes: 60, min_notice_minutes: 0, ...values }))
  const calendar = (clinic: Clinic, specialist_id: string, values: object = {}) =>
    created(post(clinic, '/v1/calendars', { specialist_id, name: 'Week', ...values }))
  const MONDAY = { weekday: 1, start: '09:00', end: '12:00' }
  const week = 'from=2026-03-02T00:00:00Z&to=2026-03-09T00:00:00Z'
  const free = async (clinic: Clinic, serviceId: string, query = week) => {
    const path = `/v1/public/availability?organization=${clinic.slug}&service_id=${serviceId}&${query}`
    const { status, body, text } = await core.get(path)
    assert.equal(status, 200, text)
    return body.data.map(({ starts_at }: { starts_at: string }) => starts_at.slice(0, 16))
  }

  test('a calendar offers its weekly hours in the specialist’s time zone', async () => {
    const clinic = await core.organization()
    const [ana, offered] = [await specialist(clinic), await service(clinic)]
    const made = await calendar(clinic, ana.id, { weekly_hours: [MONDAY] })
    assert.deepEqual(
      [made.time_zone, made.service_ids, made.overrides, made.is_active],
      ['Europe/Bucharest', [], [], true],
    )
    assert.deepEqual(await free(clinic, offered.id), ['2026-03-02T07:00', '2026-03-02T08:00', '2026-03-02T09:00'])
    const path = `/v1/public/availability?organization=${clinic.slug}&service_id=${offered.id}&${week}&limit=1`
    const { body } = await core.get(path)
    assert.deepEqual([body.data.length, body.days], [1, [{ date: '2026-03-02', free: 3 }]])
  })

  test('overrides, closures and inactive specialists take times away', async () => {
    const clinic = await core.organization()
    const [ana, offered] = [await specialist(clinic), await service(clinic)]
    const { id } = await calendar(clinic, ana.id, { weekly_hours: [MONDAY] })
    const override = { date: '2026-03-02', windows: [{ start: '14:00', end: '15:00' }], reason: 'Training' }
    const changed = await created(post(clinic, `/v1/calendars/${id}/overrides`, override))
    assert.deepEqual(await free(clinic, offered.id), ['2026-03-02T12:00'])
    const locked = await core.put(`/v1/specialists/${ana.id}`, {
      as: clinic.admin,
      body: { scheduling_timezone: 'Europe/London' },
    })
    assert.deepEqual([locked.status, locked.body.error.code], [400, 'timezone_locked'])
    const removed = await core.delete(`/v1/calendars/${id}/overrides/${changed.overrides[0].id}`, { as: clinic.admin })
    assert.equal(removed.status, 204)
    const closure = await created(
      post(clinic, '/v1/closures', { date: '2026-03-01', date_to: '2026-03-03', name: 'Holiday' }),
    )
    assert.deepEqual(await free(clinic, offered.id), [])
    assert.equal((await core.delete(`/v1/closures/${closure.id}`, { as: clinic.admin })).status, 204)
    assert.equal((await free(clinic, offered.id)).length, 3)
    await core.put(`/v1/specialists/${ana.id}`, { as: clinic.admin, body: { scheduling_active: false } })
    assert.deepEqual(await free(clinic, offered.id), [])
  })

  test('hours of one specialist must not overlap, also across midnight and when written at once (409)', async () => {
    const clinic = await core.organization()
    const ana = await specialist(clinic)
    const first = await calendar(clinic, ana.id, { weekly_hours: [{ weekday: 7, start: '22:00', end: '02:00' }] })
    const overlapping = {
      specialist_id: ana.id,
      name: 'Second',
      weekly_hours: [{ weekday: 1, start: '01:00', end: '03:00' }],
    }
    const refused = await post(clinic, '/v1/calendars', overlapping)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'hours_overlap'])
    const put = (weekly_hours: object[]) =>
      core.put(`/v1/calendars/${first.id}/weekly-hours`, { as: clinic.admin, body: { weekly_hours } })
    assert.equal((await put([MONDAY, { weekday: 1, start: '11:59', end: '13:00' }])).status, 409)
    assert.equal((await put([MONDAY])).status, 200)
    const rivals = await Promise.all(
      Array.from({ length: 5 }, () =>
        post(clinic, '/v1/calendars', {
          specialist_id: ana.id,
          name: 'Tuesday',
          weekly_hours: [{ ...MONDAY, weekday: 2 }],
        }),
      ),
    )
    assert.deepEqual(
      rivals.map(({ status }) => status).sort((a, b) => a - b),
      [201, 409, 409, 409, 409],
    )
  })

  test('a calendar names a specialist, location and services of its own clinic (422)', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const [ana, foreign, foreignService] = [await specialist(clinic), await specialist(other), await service(other)]
    for (const [field, body] of [
      ['specialist_id', { specialist_id: foreign.id }],
      ['location_id', { specialist_id: ana.id, location_id: randomUUID() }],
      ['service_ids', { specialist_id: ana.id, service_ids: [foreignService.id] }],
    ] as const) {
      const { status, body: answer } = await post(clinic, '/v1/calendars', { name: 'Week', ...body })
      assert.deepEqual([status, Object.keys(answer.error.fields)], [422, [field]])
    }
    const { id } = await calendar(clinic, ana.id)
    assert.equal((await core.get(`/v1/calendars/${id}`, { as: other.admin })).status, 404)
    assert.equal((await core.delete(`/v1/calendars/${id}`, { as: other.admin })).status, 404)
  })

  test('a calendar or service bound to others is not offered', async () => {
    const clinic = await core.organization()
    const [ana, dan] = [await specialist(clinic), await specialist(clinic, 'Dan')]
    const [massage, session] = [
      await service(clinic, { name: 'Massage' }),
      await service(clinic, { specialist_ids: [dan.id] }),
    ]
    await calendar(clinic, ana.id, { weekly_hours: [MONDAY], service_ids: [massage.id] })
    assert.deepEqual(await free(clinic, session.id), [])
    assert.equal((await free(clinic, massage.id)).length, 3)
    await calendar(clinic, dan.id, { weekly_hours: [{ ...MONDAY, weekday: 3 }] })
    assert.equal((await free(clinic, session.id)).length, 3)
  })

  test('staff see times inside the notice, and why the others are not free', async () => {
    const clinic = await core.organization()
    const ana = await specialist(clinic)
    const offered = await service(clinic, { min_notice_minutes: 43_200, is_public: false })
    await calendar(clinic, ana.id, { weekly_hours: [MONDAY] })
    const path = `/v1/availability?service_id=${offered.id}&from=2026-03-02T06:00:00Z&to=2026-03-02T12:00:00Z&limit=50&explain=true`
    const { body } = await core.get(path, { as: clinic.admin })
    assert.equal(body.data.length, 3)
    const reasons = body.unavailable.map((one: { starts_at: string; reason: string }) => [
      one.starts_at.slice(11, 16),
      one.reason,
    ])
    assert.deepEqual(reasons, [
      ['06:00', 'outside_hours'],
      ['10:00', 'outside_hours'],
      ['11:00', 'outside_hours'],
    ])
    const hidden = await core.get(
      `/v1/public/availability?organization=${clinic.slug}&service_id=${offered.id}&${week}`,
    )
    assert.deepEqual([hidden.status, hidden.body.error.code], [404, 'service_not_found'])
  })

  test('a window over 31 days, or one that ends before it starts, is refused (422)', async () => {
    const clinic = await core.organization()
    const offered = await service(clinic)
    for (const query of [
      'from=2026-03-01T00:00:00Z&to=2026-04-02T00:00:00Z',
      'from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
    ]) {
      const path = `/v1/public/availability?organization=${clinic.slug}&service_id=${offered.id}&${query}`
      assert.equal((await core.get(path)).body.error.code, 'window_too_long')
    }
  })
})
