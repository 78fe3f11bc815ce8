import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onServer, until } from '@tendon/testing'
import { type Answer, sharedCore, type TestCore } from '../../testing/core.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from './clinic.testing.ts'

const HALF_HOUR_MS = 1_800_000

describe('the limit of a day at the moment a hold expires', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const slot = (index: number) => new Date(nextMonday(7).getTime() + index * HALF_HOUR_MS)
  const limited = () => schedulingClinic(core, { duration_minutes: 30, slot_interval_minutes: 30, max_per_day: 1 })
  const hold = (clinic: SchedulingClinic) => created(core.post('/v1/public/holds', { body: holdBody(clinic, slot(0)) }))

  /** Somebody counts the day, the hold is used, its time runs out, and then the count ends. */
  async function expireWhileCounted(clinic: SchedulingClinic, holdId: string, use: () => Promise<Answer>) {
    const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
    return onServer(new URL(core.database.url).pathname.slice(1), async (counting) => {
      await counting.query('begin')
      await counting.query('select count_booked($1, $2, $3, $4::timestamptz, $4::timestamptz, null)', [
        clinic.id,
        clinic.service.id,
        clinic.specialist.id,
        // The first instant of the day in Bucharest.
        (await counting.query(`select date_trunc('day', $1::timestamptz, 'Europe/Bucharest') as day`, [slot(0)]))
          .rows[0].day,
      ])
      let isAnswered = false
      const answer = use().finally(() => {
        isAnswered = true
      })
      await until(async () => isAnswered || (await core.database.query(WAITING)).length > 0)
      await counting.query(
        `update time_claims set expires_at = clock_timestamp() where hold_id = $1 and kind = 'hold'`,
        [holdId],
      )
      await counting.query('commit')
      return answer
    })
  }

  test('a visitor’s hold that runs out while the day is counted is not booked (410)', async () => {
    const clinic = await limited()
    await core.publishNotice(clinic)
    const { id } = await hold(clinic)
    const booker = { name: 'Maria', email: 'maria@mail.example' }
    const answer = await expireWhileCounted(clinic, id, () =>
      core.post('/v1/public/bookings', { body: { hold_id: id, booker } }),
    )
    assert.deepEqual([answer.status, answer.body.error?.code], [410, 'hold_expired'])
  })

  test('a hold that runs out while the day is counted takes no moved visit (410)', async () => {
    const clinic = await limited()
    const at = new Date(slot(0).getTime() + 7 * 86_400_000).toISOString()
    const body = { service_id: clinic.service.id, specialist_id: clinic.specialist.id, starts_at: at }
    const visit = await created(core.post('/v1/appointments', { as: clinic.admin, body }))
    const { id } = await hold(clinic)
    const answer = await expireWhileCounted(clinic, id, () =>
      core.post(`/v1/appointments/${visit.id}/reschedule`, { as: clinic.admin, body: { hold_id: id } }),
    )
    assert.deepEqual([answer.status, answer.body.error?.code], [410, 'hold_expired'])
  })
})
