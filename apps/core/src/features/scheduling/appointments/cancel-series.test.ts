import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import { created, lastMonday, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'

describe('cancelling the rest of a series', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.error?.code]
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
  async function seriesOf(clinic: SchedulingClinic, count: number, values: object = {}): Promise<Json[]> {
    const { series_id } = await book(clinic, { repeat: { every_weeks: 1, count }, ...values })
    return listOf(clinic, series_id)
  }
  const listOf = async (clinic: SchedulingClinic, seriesId: string) =>
    (await core.get(`/v1/appointments?series_id=${seriesId}&sort=starts_at&limit=100`, { as: clinic.admin })).body.data
  const cancel = (clinic: SchedulingClinic, seriesId: string, body: object, as = clinic.admin) =>
    core.post(`/v1/appointments/series/${seriesId}/cancel`, { as, body })
  const claimsOf = async (clinic: SchedulingClinic) =>
    (await core.database.query('select 1 from time_claims where organization_id = $1', [clinic.id])).length

  test('it cancels this visit and the following ones, frees their times, and records each', async () => {
    const clinic = await schedulingClinic(core)
    const [first, second, ...rest] = await seriesOf(clinic, 5)
    const answer = await cancel(clinic, first.series_id, { from: second.starts_at, reason: 'The specialist is ill.' })
    assert.equal(answer.status, 200, answer.text)
    const ids = [second, ...rest].map(({ id }) => id)
    const { cancelled, left } = answer.body.data
    assert.deepEqual(new Set(cancelled.map(({ id }: Json) => id)), new Set(ids))
    assert.deepEqual(left, [])
    for (const one of cancelled)
      assert.deepEqual(
        [one.status, one.previous_status, one.cancelled_by, one.cancellation_reason],
        ['cancelled', 'confirmed', 'staff', 'The specialist is ill.'],
      )
    assert.equal(await claimsOf(clinic), 1)
    for (const [table, where] of [
      ['outbox_events', `type = 'appointment.cancelled'`],
      ['audit_log', `action = 'appointments.cancel'`],
    ])
      assert.equal(
        (await core.database.query(`select 1 from ${table} where organization_id = $1 and ${where}`, [clinic.id]))
          .length,
        4,
      )
    const undone = await core.put(`/v1/appointments/${second.id}/status`, {
      as: clinic.admin,
      body: { status: 'confirmed' },
    })
    assert.equal(undone.status, 200, undone.text)
  })

  test('visits that have begun or are over are left, and the answer says why; moved ones are cancelled where they are', async () => {
    const clinic = await schedulingClinic(core)
    const visits = await seriesOf(clinic, 5, { starts_at: lastMonday().toISOString() })
    const [missed, done, arrived, moved, gone] = visits
    const set = async ({ id }: Json, status: string) => {
      const answer = await core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status } })
      assert.equal(answer.status, 200, answer.text)
    }
    await set(missed, 'no_show')
    await set(done, 'completed')
    await set(arrived, 'checked_in')
    await set(gone, 'cancelled')
    const body = { starts_at: nextMonday(12).toISOString() }
    const { id } = (await core.post(`/v1/appointments/${moved.id}/reschedule`, { as: clinic.admin, body })).body.data
    const { cancelled, left } = (await cancel(clinic, missed.series_id, { from: missed.starts_at })).body.data
    assert.deepEqual(
      cancelled.map((one: Json) => one.id),
      [id],
    )
    const reasons = new Map(left.map((one: Json) => [one.id, [one.status, one.reason]]))
    assert.deepEqual(
      reasons,
      new Map([
        [missed.id, ['no_show', 'is_over']],
        [done.id, ['completed', 'is_over']],
        [arrived.id, ['checked_in', 'has_begun']],
      ]),
    )
    const again = (await cancel(clinic, missed.series_id, { from: missed.starts_at })).body.data
    assert.deepEqual([again.cancelled, again.left.length], [[], 3])
  })

  test('visits whose time has passed are left, also when nobody has closed them', async () => {
    const clinic = await schedulingClinic(core)
    const now = Date.now()
    const minutes = (count: number) => new Date(now + count * 60_000).toISOString()
    const [over, begun, coming] = await seriesOf(clinic, 3)
    for (const [visit, starts_at] of [
      [over, minutes(-24 * 60)],
      [begun, minutes(-5)],
    ] as const) {
      const body = { starts_at, allow_past: true }
      const moved = await core.post(`/v1/appointments/${visit.id}/reschedule`, { as: clinic.admin, body })
      assert.equal(moved.status, 200, moved.text)
    }
    const { cancelled, left } = (await cancel(clinic, over.series_id, { from: minutes(-48 * 60) })).body.data
    assert.deepEqual(
      [cancelled.map(({ id }: Json) => id), left.map(({ status, reason }: Json) => [status, reason])],
      [
        [coming.id],
        [
          ['confirmed', 'is_over'],
          ['confirmed', 'has_begun'],
        ],
      ],
    )
  })

  test('a visit that is moved meanwhile is cancelled too, and two who cancel at once cancel each visit once', async () => {
    const clinic = await schedulingClinic(core)
    const record = await core.patient(clinic, await core.signIn())
    for (let round = 0; round < 3; round++) {
      const visits = await seriesOf(clinic, 4, { patient_id: record.id })
      const [first, second] = visits
      const from = first.starts_at
      const body = { starts_at: new Date(Date.parse(second.starts_at) + 2 * 3_600_000).toISOString() }
      const [one, two] = await Promise.all([
        cancel(clinic, first.series_id, { from }),
        cancel(clinic, first.series_id, { from }),
        core.post(`/v1/appointments/${second.id}/reschedule`, { as: clinic.admin, body }),
      ])
      assert.deepEqual([one?.status, two?.status], [200, 200])
      const counts = [one, two].map((answer) => answer?.body.data.cancelled.length)
      assert.deepEqual(
        counts.sort((a, b) => a - b),
        [0, 4],
      )
      assert.equal(await claimsOf(clinic), 0)
    }
  })

  test('who may only see appointments cancels none, an unknown series and one of another clinic are not found', async () => {
    const [clinic, other] = [await schedulingClinic(core), await schedulingClinic(core)]
    const [first] = await seriesOf(clinic, 2)
    const body = { from: first.starts_at }
    const blind = await core.memberWith(clinic, ['appointments.manage'])
    for (const as of [await core.memberWith(clinic, ['appointments.view_org']), blind])
      assert.deepEqual(codeOf(await cancel(clinic, first.series_id, body, as)), [403, 'forbidden'])
    assert.deepEqual(codeOf(await cancel(other, first.series_id, body)), [404, 'series_not_found'])
    assert.deepEqual(codeOf(await cancel(clinic, randomUUID(), body)), [404, 'series_not_found'])
    assert.ok((await listOf(clinic, first.series_id)).every(({ status }: Json) => status === 'confirmed'))
  })
})
