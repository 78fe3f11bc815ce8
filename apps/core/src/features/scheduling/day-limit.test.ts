import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, sharedCore, type TestCore } from '../../testing/core.ts'
import {
  addSpecialist,
  created,
  holdBody,
  nextMonday,
  type SchedulingClinic,
  schedulingClinic,
} from './clinic.testing.ts'

const CLIENTS = 12
const WEEK_MS = 7 * 86_400_000

describe('the limit of a service per day', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  })
  after(() => core.close())

  const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.error?.code]
  const FULL = [409, 'day_full']
  /** Everybody but the two who got a time. */
  function allFull(answers: Answer[]): void {
    assert.equal(answers.length, CLIENTS - 2)
    for (const answer of answers) assert.deepEqual(codeOf(answer), FULL)
  }
  let address = 0
  const hold = (body: object) =>
    core.post('/v1/public/holds', { body, headers: { 'x-forwarded-for': `10.31.${address >> 8}.${address++ & 255}` } })
  /** Half hours of one Monday. */
  const slot = (index: number) => new Date(nextMonday(7).getTime() + index * 1_800_000)
  const clinicWith = (max_per_day: number, values: object = {}) =>
    schedulingClinic(core, { duration_minutes: 30, slot_interval_minutes: 30, max_per_day, ...values })
  const book = (clinic: SchedulingClinic, at: Date, values: object = {}) =>
    core.post('/v1/appointments', {
      as: clinic.admin,
      body: {
        service_id: clinic.service.id,
        specialist_id: clinic.specialist.id,
        starts_at: at.toISOString(),
        ...values,
      },
    })
  const move = (clinic: SchedulingClinic, id: string, at: Date, values: object = {}) =>
    core.post(`/v1/appointments/${id}/reschedule`, {
      as: clinic.admin,
      body: { starts_at: at.toISOString(), ...values },
    })
  const later = (at: Date) => new Date(at.getTime() + WEEK_MS)

  test(`of ${CLIENTS} visitors who hold and book at once, as many get a time as the limit allows`, async () => {
    const clinic = await clinicWith(2)
    await core.publishNotice(clinic)
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => {
        const held = await hold(holdBody(clinic, slot(index)))
        if (held.status !== 201) return held
        const booker = { name: 'Maria', email: `maria-${index}@mail.example` }
        return core.post('/v1/public/bookings', { body: { hold_id: held.body.data.id, booker } })
      }),
    )
    const by = Map.groupBy(answers, ({ status }) => status)
    assert.equal(by.get(201)?.length, 2)
    allFull(by.get(409) ?? [])
    const [row] = await core.database.query<{ count: number }>(
      'select count(*)::integer as count from appointments where organization_id = $1',
      [clinic.id],
    )
    assert.equal(row?.count, 2)
  })

  test(`of ${CLIENTS} bookings of staff at once, as many succeed as the limit allows`, async () => {
    const clinic = await clinicWith(2)
    const answers = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => book(clinic, slot(index))))
    assert.equal(answers.filter(({ status }) => status === 201).length, 2)
    allFull(answers.filter(({ status }) => status !== 201))
  })

  test(`of ${CLIENTS} visits that are moved to one day at once, as many arrive as the limit allows`, async () => {
    const clinic = await clinicWith(2)
    const visits = []
    for (let index = 0; index < CLIENTS; index++)
      visits.push(await created(book(clinic, later(slot(index)), { over_limit: true })))
    const answers = await Promise.all(visits.map(({ id }, index) => move(clinic, id, slot(index))))
    assert.equal(answers.filter(({ status }) => status === 200).length, 2)
    allFull(answers.filter(({ status }) => status !== 200))
  })

  test('staff who hold beyond the limit and who book the same time do not wait for each other', async () => {
    const clinic = await clinicWith(1)
    const wanted = { service_id: clinic.service.id, mode: 'in_person', over_limit: true }
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => {
        const at = slot(index >> 1)
        return index % 2 === 0
          ? core.post('/v1/holds', { as: clinic.admin, body: { ...wanted, starts_at: at.toISOString() } })
          : book(clinic, at, { over_limit: true })
      }),
    )
    for (const { status, text } of answers) assert.ok([201, 409].includes(status), text)
    assert.equal(answers.filter(({ status }) => status === 201).length, CLIENTS / 2)
  })

  test('the limit is one of the service, the specialist and the day', async () => {
    const clinic = await clinicWith(1)
    const second = await addSpecialist(core, clinic)
    const body = { name: 'Other', duration_minutes: 30, slot_interval_minutes: 30, max_per_day: 1 }
    const other = await created(core.post('/v1/services', { as: clinic.admin, body }))
    await created(book(clinic, slot(0)))
    assert.deepEqual(codeOf(await book(clinic, slot(1))), FULL)
    await created(book(clinic, slot(1), { specialist_id: second.id }))
    await created(book(clinic, slot(2), { service_id: other.id }))
    await created(book(clinic, later(slot(1))))
  })

  test('the day is one of the specialist’s time zone', async () => {
    const clinic = await clinicWith(1)
    // From 22:30 in UTC it is the next day in Bucharest, in winter and in summer.
    const midnight = (day: Date, hour: number, minute: number) => {
      const at = new Date(day)
      at.setUTCHours(hour, minute)
      return at
    }
    await created(book(clinic, midnight(nextMonday(), 20, 0)))
    assert.deepEqual(codeOf(await book(clinic, midnight(nextMonday(), 3, 0))), FULL)
    const next = midnight(nextMonday(), 22, 30)
    await created(book(clinic, next))
    assert.deepEqual(codeOf(await book(clinic, midnight(new Date(next.getTime() + 86_400_000), 3, 0))), FULL)
  })

  test('an active hold counts, an expired or released one does not', async () => {
    const clinic = await clinicWith(1)
    const held = await created(hold(holdBody(clinic, slot(0))))
    assert.deepEqual(codeOf(await book(clinic, slot(1))), FULL)
    assert.deepEqual(codeOf(await hold(holdBody(clinic, slot(1)))), FULL)
    assert.equal((await core.delete(`/v1/public/holds/${held.id}`)).status, 204)
    const next = await created(hold(holdBody(clinic, slot(1))))
    for (const table of ['holds where id', 'time_claims where hold_id'])
      await core.database.query(
        `update ${table.replace(' where', ` set expires_at = now() - interval '1 s' where`)} = $1`,
        [next.id],
      )
    await created(book(clinic, slot(2)))
  })

  test('a move within the day does not count the visit itself, one to another day counts', async () => {
    const clinic = await clinicWith(1)
    const visit = await created(book(clinic, slot(0)))
    const there = await created(book(clinic, later(slot(0))))
    const moved = await move(clinic, visit.id, slot(1))
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual(codeOf(await move(clinic, there.id, slot(2))), FULL)
  })

  test('staff pass the limit with over_limit when they hold, book or move, and the audit log says so', async () => {
    const clinic = await clinicWith(1)
    await created(book(clinic, slot(0)))
    const { organization: _, ...body } = holdBody(clinic, slot(1))
    const asStaff = (values: object) => core.post('/v1/holds', { as: clinic.admin, body: { ...body, ...values } })
    assert.deepEqual(codeOf(await asStaff({})), FULL)
    const held = await created(asStaff({ over_limit: true }))
    const fromHold = await core.post('/v1/appointments', { as: clinic.admin, body: { hold_id: held.id } })
    assert.equal(fromHold.status, 201, fromHold.text)
    const booked = await created(book(clinic, slot(2), { over_limit: true }))
    const elsewhere = await created(book(clinic, later(slot(0)), { over_limit: true }))
    assert.deepEqual(codeOf(await move(clinic, elsewhere.id, slot(3))), FULL)
    const moved = await move(clinic, elsewhere.id, slot(3), { over_limit: true })
    assert.equal(moved.status, 200, moved.text)
    const audited = async (id: string) => {
      const { text } = await core.get(`/v1/audit-logs?target_id=${id}&limit=100`, { as: clinic.admin })
      return text.includes('over_limit')
    }
    assert.deepEqual(
      [
        await audited(clinic.service.id),
        await audited(booked.id),
        await audited(moved.body.data.id),
        await audited(elsewhere.id),
      ],
      [true, true, true, false],
    )
  })

  test('a waitlist entry gets a time within the limit, or beyond it by staff', async () => {
    const clinic = await clinicWith(1)
    await created(book(clinic, slot(0)))
    const waiting = await created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: { service_id: clinic.service.id, status: 'waitlist' },
      }),
    )
    const confirm = (values: object = {}) =>
      core.put(`/v1/appointments/${waiting.id}/status`, {
        as: clinic.admin,
        body: {
          status: 'confirmed',
          starts_at: slot(1).toISOString(),
          specialist_id: clinic.specialist.id,
          ...values,
        },
      })
    assert.deepEqual(codeOf(await confirm()), FULL)
    assert.equal((await confirm({ over_limit: true })).status, 200)
  })

  test('a hold within the limit is not audited as one beyond it', async () => {
    const clinic = await clinicWith(1)
    const { organization: _, ...body } = holdBody(clinic, slot(0))
    await created(core.post('/v1/holds', { as: clinic.admin, body: { ...body, over_limit: true } }))
    const { text } = await core.get(`/v1/audit-logs?target_id=${clinic.service.id}&limit=100`, { as: clinic.admin })
    assert.ok(!text.includes('over_limit'), text)
  })

  test('a full day is not offered', async () => {
    const clinic = await clinicWith(1)
    await created(hold(holdBody(clinic, slot(0))))
    const [from, to] = [slot(0).toISOString(), slot(2).toISOString()]
    const query = `organization=${clinic.slug}&service_id=${clinic.service.id}&from=${from}&to=${to}`
    assert.deepEqual((await core.get(`/v1/public/availability?${query}`)).body.data, [])
  })
})
