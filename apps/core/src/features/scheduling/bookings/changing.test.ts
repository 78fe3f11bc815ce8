import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onServer, until } from '@tendon/testing'
import { type Answer, startCore } from '../../../testing/core.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'

describe('a booking that its booker and the clinic change at once', () => {
  let core: Awaited<ReturnType<typeof startCore>>
  before(async () => {
    core = await startCore()
  })
  after(() => core.close())

  const hold = (clinic: SchedulingClinic, hour: number) =>
    created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(hour)) }))

  async function booked(service: object = {}) {
    const clinic = await schedulingClinic(core, service)
    await core.publishNotice(clinic)
    const booker = { name: 'Maria', email: 'maria@mail.example' }
    const { id: hold_id } = await hold(clinic, 9)
    const { manage_url } = await created(core.post('/v1/public/bookings', { body: { hold_id, booker } }))
    const [{ id }] = (await core.get('/v1/appointments', { as: clinic.admin })).body.data
    const link = `/v1/public/bookings/${manage_url.split('/').at(-1)}`
    const move = (at: Date, values: object = {}) =>
      core.post(`/v1/appointments/${id}/reschedule`, {
        as: clinic.admin,
        body: { starts_at: at.toISOString(), ...values },
      })
    return { clinic, link, move }
  }

  /** The clinic comes first, the booker second; both wait for the specialist. */
  async function oneAfterTheOther(
    { specialist }: SchedulingClinic,
    first: () => Promise<Answer>,
    second: () => Promise<Answer>,
  ) {
    return onServer(new URL(core.database.url).pathname.slice(1), async (holder) => {
      const waiting = async (count: number) => (await core.database.countWaiting()) >= count
      await holder.query('begin')
      await holder.query(`select pg_advisory_xact_lock(hashtextextended('appointments of ' || $1::uuid, 0))`, [
        specialist.id,
      ])
      const one = first()
      await until(() => waiting(1))
      let isAnswered = false
      const other = second().finally(() => {
        isAnswered = true
      })
      await until(async () => isAnswered || (await waiting(2)))
      await holder.query('commit')
      return Promise.all([one, other])
    })
  }

  test('the booker moves the visit that the clinic has moved meanwhile', async () => {
    const { clinic, link, move } = await booked()
    const { id: hold_id } = await hold(clinic, 12)
    const [byClinic, byBooker] = await oneAfterTheOther(
      clinic,
      () => move(nextMonday(11)),
      () => core.post(`${link}/reschedule`, { body: { hold_id } }),
    )
    assert.deepEqual([byClinic.status, byBooker.status], [200, 200], byBooker.text)
    assert.equal((await core.get(link)).body.data.starts_at, nextMonday(12).toISOString())
    const { body } = await core.get('/v1/appointments?status=confirmed', { as: clinic.admin })
    assert.equal(body.data.length, 1)
  })

  test('the booker cancels the visit that the clinic has moved meanwhile', async () => {
    const { clinic, link, move } = await booked()
    const [byClinic, byBooker] = await oneAfterTheOther(
      clinic,
      () => move(nextMonday(11)),
      () => core.delete(link),
    )
    assert.deepEqual([byClinic.status, byBooker.status], [200, 204], byBooker.text)
    assert.equal((await core.get(link)).body.data.status, 'cancelled')
  })

  test('the notice is that of the time to which the clinic has moved the visit meanwhile (403 too_late)', async () => {
    const { clinic, link, move } = await booked({ reschedule_notice_minutes: 60, cancel_notice_minutes: 60 })
    const soon = new Date(Date.now() + 30 * 60_000)
    soon.setUTCSeconds(0, 0)
    const { id: hold_id } = await hold(clinic, 12)
    const [byClinic, byBooker] = await oneAfterTheOther(
      clinic,
      () => move(soon),
      () => core.post(`${link}/reschedule`, { body: { hold_id } }),
    )
    assert.deepEqual(
      [byClinic.status, byBooker.status, byBooker.body.error?.code],
      [200, 403, 'too_late'],
      byClinic.text,
    )
  })
})
