import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../testing/core.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from './clinic.testing.ts'

const CLIENTS = 12
const HALF_HOUR_MS = 1_800_000
const WEEK_MS = 7 * 86_400_000

/** A visit that its patient or booker moves. */
interface Movable {
  calendar_uid: string
  move(hold_id: string): Promise<Answer>
}

describe('the limit of a day and the visits that are moved', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  })
  after(() => core.close())

  const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.error?.code]
  const FULL = [409, 'day_full']
  let address = 0
  /** Half hours of one Monday. */
  const slot = (index: number) => new Date(nextMonday(7).getTime() + index * HALF_HOUR_MS)
  const later = (at: Date) => new Date(at.getTime() + WEEK_MS)
  const hold = (clinic: SchedulingClinic, at: Date, moves?: string) =>
    core.post('/v1/public/holds', {
      body: holdBody(clinic, at, moves === undefined ? {} : { moves_calendar_uid: moves }),
      headers: { 'x-forwarded-for': `10.33.${address >> 8}.${address++ & 255}` },
    })
  const limited = async (max_per_day: number) => {
    const clinic = await schedulingClinic(core, { duration_minutes: 30, slot_interval_minutes: 30, max_per_day })
    await core.publishNotice(clinic)
    return clinic
  }
  const book = (clinic: SchedulingClinic, at: Date, values: object = {}) =>
    created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: at.toISOString(),
          over_limit: true,
          ...values,
        },
      }),
    )

  async function visitOfPatient(clinic: SchedulingClinic, at: Date, person?: Person): Promise<Movable> {
    const patient = person ?? (await core.signIn())
    const record = await core.patient(clinic, patient)
    await core.acceptAll(record)
    const { id } = await book(clinic, at, { patient_id: record.id })
    const as = { as: patient, headers: { 'x-organization-id': clinic.id } }
    const { body } = await core.get('/v1/me/appointments', as)
    const [{ calendar_uid }] = body.data.filter((one: { id: string }) => one.id === id)
    return {
      calendar_uid,
      move: (hold_id) => core.post(`/v1/me/appointments/${id}/reschedule`, { ...as, body: { hold_id } }),
    }
  }

  async function visitOfBooker(clinic: SchedulingClinic, at: Date): Promise<Movable> {
    const { id: hold_id } = await created(hold(clinic, at))
    const booker = { name: 'Maria', email: 'maria@mail.example' }
    const { manage_url, calendar_uid } = await created(core.post('/v1/public/bookings', { body: { hold_id, booker } }))
    const path = `/v1/public/bookings/${manage_url.split('/').at(-1)}/reschedule`
    return { calendar_uid, move: (hold_id) => core.post(path, { body: { hold_id } }) }
  }

  const takingTime = async (clinic: SchedulingClinic) =>
    core.database.query<{ starts_at: string }>(
      `select starts_at from appointments where organization_id = $1 and status in ('pending', 'confirmed') order by starts_at`,
      [clinic.id],
    )

  for (const [who, visitOf] of [
    ['patient', visitOfPatient],
    ['booker', visitOfBooker],
  ] as const) {
    test(`a ${who} moves a visit within a full day, again and again`, async () => {
      const clinic = await limited(1)
      const visit = await visitOf(clinic, slot(0))
      assert.deepEqual(codeOf(await hold(clinic, slot(1))), FULL)
      const held = await created(hold(clinic, slot(1), visit.calendar_uid))
      const moved = await visit.move(held.id)
      assert.equal(moved.status, 200, moved.text)
      assert.equal(moved.body.data.starts_at, slot(1).toISOString())
      assert.equal(moved.body.data.calendar_uid, visit.calendar_uid)
      assert.deepEqual(codeOf(await hold(clinic, slot(2))), FULL)
      await created(hold(clinic, slot(2), visit.calendar_uid))
      assert.equal((await takingTime(clinic)).length, 1)
    })
  }

  test('a hold for a move books nothing and moves no other visit (404)', async () => {
    const clinic = await limited(1)
    const visit = await visitOfPatient(clinic, slot(0))
    const other = await visitOfPatient(clinic, later(slot(0)))
    const { id: hold_id } = await created(hold(clinic, slot(1), visit.calendar_uid))
    const booker = { name: 'Ion', email: 'ion@mail.example' }
    assert.deepEqual(
      [
        codeOf(await core.post('/v1/public/bookings', { body: { hold_id, booker } })),
        codeOf(await core.post('/v1/appointments', { as: clinic.admin, body: { hold_id } })),
        codeOf(await other.move(hold_id)),
      ],
      Array.from({ length: 3 }, () => [404, 'hold_not_found']),
    )
    assert.equal((await visit.move(hold_id)).status, 200)
  })

  test('a visit of another day, of another clinic or nobody’s makes no place on a full day', async () => {
    const clinic = await limited(1)
    const elsewhere = await visitOfPatient(await limited(1), slot(0))
    await book(clinic, slot(0))
    const there = await visitOfPatient(clinic, later(slot(0)))
    const unknown = '00000000-0000-4000-8000-000000000000'
    for (const uid of [there.calendar_uid, elsewhere.calendar_uid, unknown])
      assert.deepEqual(codeOf(await hold(clinic, slot(1), uid)), FULL, uid)
  })

  test('a visit that has taken place makes no place on its day', async () => {
    const clinic = await limited(1)
    const visit = await visitOfPatient(clinic, slot(0))
    await core.database.query(`update appointments set status = 'checked_in' where organization_id = $1`, [clinic.id])
    assert.deepEqual(codeOf(await hold(clinic, slot(1), visit.calendar_uid)), FULL)
  })

  test('a visit that leaves the day counts no more, and the hold for its move counts instead', async () => {
    const clinic = await limited(1)
    const visit = await visitOfPatient(clinic, slot(0))
    const back = await created(hold(clinic, slot(1), visit.calendar_uid))
    const [{ id }] = (await core.get('/v1/appointments?status=confirmed', { as: clinic.admin })).body.data
    const body = { starts_at: later(slot(0)).toISOString() }
    assert.equal((await core.post(`/v1/appointments/${id}/reschedule`, { as: clinic.admin, body })).status, 200)
    assert.deepEqual(codeOf(await hold(clinic, slot(2))), FULL)
    assert.equal((await core.delete(`/v1/public/holds/${back.id}`)).status, 204)
    await created(hold(clinic, slot(2)))
  })

  test(`of ${CLIENTS} visits that are moved at once, those of the full day move within it and no other arrives`, async () => {
    const clinic = await limited(2)
    const within = [await visitOfPatient(clinic, slot(0)), await visitOfBooker(clinic, slot(1))]
    const arriving: Movable[] = []
    const person = await core.signIn()
    for (let index = 2; index < CLIENTS; index++)
      arriving.push(
        index === 2 ? await visitOfPatient(clinic, later(slot(index)), person) : await visitAt(clinic, index),
      )
    const moved = async (visit: Movable, index: number, names = visit.calendar_uid) => {
      const held = await hold(clinic, slot(index), names)
      return held.status === 201 ? visit.move(held.body.data.id) : held
    }
    const [first, second] = within
    assert.ok(first && second)
    const answers = await Promise.all([
      ...within.map((visit, index) => moved(visit, index + 2)),
      // Some name their own visit, the others one of the full day.
      ...arriving.map((visit, index) =>
        moved(visit, index + 4, index % 2 ? (index % 4 === 1 ? first : second).calendar_uid : visit.calendar_uid),
      ),
    ])
    assert.deepEqual(
      answers.slice(0, 2).map(({ status }) => status),
      [200, 200],
      answers.map(({ text }) => text).join('\n'),
    )
    const refused = answers.slice(2).map(codeOf).map(String)
    assert.ok(
      refused.every((code) => [FULL, [404, 'hold_not_found']].map(String).includes(code)),
      refused.join(' '),
    )
    const onTheDay = (await takingTime(clinic)).filter(({ starts_at }) => new Date(starts_at) < later(slot(0)))
    assert.equal(onTheDay.length, 2)
  })

  /** A booker's visit of the week after, beyond its limit. */
  async function visitAt(clinic: SchedulingClinic, index: number): Promise<Movable> {
    await core.database.query('update services set max_per_day = null where id = $1', [clinic.service.id])
    const visit = await visitOfBooker(clinic, later(slot(index)))
    await core.database.query('update services set max_per_day = 2 where id = $1', [clinic.service.id])
    return visit
  }

  test('the times of a full day are offered to whom it is full of', async () => {
    const clinic = await limited(1)
    const visit = await visitOfBooker(clinic, slot(0))
    const [from, to] = [slot(0).toISOString(), slot(3).toISOString()]
    const query = `organization=${clinic.slug}&service_id=${clinic.service.id}&from=${from}&to=${to}`
    const offered = async (more = '') => {
      const { body } = await core.get(`/v1/public/availability?${query}${more}`)
      return body.data.map((one: { starts_at: string }) => one.starts_at)
    }
    assert.deepEqual(await offered(), [])
    const moving = `&moves_calendar_uid=${visit.calendar_uid}`
    assert.deepEqual(await offered(moving), [slot(1).toISOString(), slot(2).toISOString()])
    await created(hold(clinic, slot(1), visit.calendar_uid))
    assert.deepEqual(await offered(moving), [slot(2).toISOString()])
  })
})
