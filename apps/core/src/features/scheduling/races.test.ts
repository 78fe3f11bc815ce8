import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { APPOINTMENT_STATUSES, type AppointmentStatus } from '@tendon/contracts'
import { soakRuns } from '@tendon/testing'
import { sharedCore, type TestCore } from '../../testing/core.ts'
import {
  addSpecialist,
  created,
  holdBody,
  nextMonday,
  type SchedulingClinic,
  schedulingClinic,
} from './clinic.testing.ts'

const ROUNDS = Math.min(120, soakRuns(12))

describe('races for time', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  })
  after(() => core.close())

  let address = 0
  const hold = (body: object) =>
    core.post('/v1/public/holds', { body, headers: { 'x-forwarded-for': `10.9.${address >> 8}.${address++ & 255}` } })
  const book = (clinic: SchedulingClinic, values: object = {}) =>
    created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: nextMonday().toISOString(),
          ...values,
        },
      }),
    )
  const claimsOf = async (clinic: SchedulingClinic) =>
    core.database.query<{ kind: string }>('select kind from time_claims where organization_id = $1', [clinic.id])

  test(`in ${ROUNDS} races at the moment of expiry, the owner books or a rival holds, never both`, async () => {
    const clinic = await schedulingClinic(core)
    const winners = { owner: 0, rival: 0, nobody: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      await core.database.query('delete from time_claims where organization_id = $1', [clinic.id])
      const { id } = await created(hold(holdBody(clinic)))
      // The hold has expired in the first round and not in the last; in between the outcome depends on timing.
      const lifeMs = round === ROUNDS - 1 ? 60_000 : round * 6
      for (const table of ['holds where id', 'time_claims where hold_id'])
        await core.database.query(
          `update ${table.replace(' where', ` set expires_at = clock_timestamp() + interval '${lifeMs} ms' where`)} = $1`,
          [id],
        )
      const rival = (async () => {
        for (let attempt = 0; attempt < 6; attempt++) {
          const answer = await hold(holdBody(clinic))
          assert.ok(answer.status < 500, answer.text)
          if (answer.status === 201) return true
        }
        return false
      })()
      const owner = await core.post('/v1/appointments', { as: clinic.admin, body: { hold_id: id } })
      assert.ok([201, 410].includes(owner.status), owner.text)
      const isRivals = await rival
      assert.ok(!(owner.status === 201 && isRivals), 'both have the time')
      assert.equal(
        (await claimsOf(clinic)).filter(({ kind }) => kind === 'appointment').length,
        owner.status === 201 ? 1 : 0,
      )
      winners[owner.status === 201 ? 'owner' : isRivals ? 'rival' : 'nobody'] += 1
    }
    assert.ok(winners.owner > 0 && winners.rival > 0, JSON.stringify(winners))
  })

  test('concurrent moves into each other’s times succeed or answer 409, never 500', async () => {
    const clinic = await schedulingClinic(core, { duration_minutes: 30, slot_interval_minutes: 30 })
    const second = await addSpecialist(core, clinic)
    const at = (slot: number) => new Date(nextMonday(8).getTime() + slot * 1_800_000).toISOString()
    const booked = []
    for (let slot = 0; slot < 12; slot++)
      booked.push(await book(clinic, { starts_at: at(slot), ...(slot % 2 ? { specialist_id: second.id } : {}) }))
    // Each appointment is moved to the time of another one of the same specialist, and to a free time and back.
    const answers = await Promise.all(
      booked.flatMap(({ id }, slot) =>
        [(slot + 2) % 12, (slot + 10) % 12, 12 + (slot % 2)].map((target) =>
          core.post(`/v1/appointments/${id}/reschedule`, { as: clinic.admin, body: { starts_at: at(target) } }),
        ),
      ),
    )
    assert.deepEqual(
      [...new Set(answers.map(({ status }) => status))].sort((a, b) => a - b),
      [200, 409],
    )
    const { body } = await core.get('/v1/appointments?status=confirmed&limit=100', { as: clinic.admin })
    assert.equal(body.pagination.total, 12)
    assert.equal((await claimsOf(clinic)).length, 12)
  })

  test('only the documented state transitions are possible over HTTP', async () => {
    const allowed: Partial<Record<AppointmentStatus, string[]>> = {
      waitlist: ['pending', 'confirmed', 'cancelled'],
      pending: ['confirmed', 'cancelled'],
      confirmed: ['checked_in', 'completed', 'no_show', 'cancelled'],
      checked_in: ['completed', 'cancelled'],
      no_show: ['checked_in'],
    }
    const clinic = await schedulingClinic(core)
    const past = new Date(nextMonday().getTime() - 28 * 86_400_000).toISOString()
    const { id } = await book(clinic, { starts_at: past })
    for (const from of APPOINTMENT_STATUSES) {
      for (const to of APPOINTMENT_STATUSES) {
        await core.database.query('delete from time_claims where appointment_id = $1', [id])
        await core.database.query('update appointments set status = $2, previous_status = null where id = $1', [
          id,
          from,
        ])
        const answer = await core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status: to } })
        const isAllowed = allowed[from]?.includes(to) ?? false
        assert.equal(answer.status, isAllowed ? 200 : 409, `${from} → ${to}: ${answer.text}`)
        if (!isAllowed) assert.equal(answer.body.error.code, 'invalid_transition')
      }
    }
  })
})
