import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { nextMonday } from '../clinic.testing.ts'
import { startReminders } from './reminders.testing.ts'

describe('reminders of a visit that is no longer cancelled', () => {
  let core: Awaited<ReturnType<typeof startReminders>>
  before(async () => {
    core = await startReminders()
  })
  after(() => core.close())

  const statesOf = async (id: string) => (await core.planned(id)).map(({ status, reason }) => [status, reason])
  const PLANNED = [
    ['planned', null],
    ['planned', null],
  ]
  const jobsOf = async (id: string) => {
    const planned = await core.planned(id)
    const jobs = await core.database.query<{ id: string }>(
      `select payload -> 'payload' ->> 'reminder_id' as id from graphile_worker._private_jobs
       where payload -> 'payload' ->> 'reminder_id' = any ($1)`,
      [planned.map((one) => one.id)],
    )
    return jobs.length
  }

  test('they are planned again, each with its job', async () => {
    const { clinic, record } = await core.clinicWithPatient()
    const { id } = await core.book(clinic, { patient_id: record.id })
    await core.dispatch()
    assert.deepEqual(await statesOf(id), PLANNED)
    await core.setStatus(clinic, id, 'cancelled')
    await core.dispatch()
    assert.deepEqual(await statesOf(id), [
      ['skipped', 'visit_cancelled'],
      ['skipped', 'visit_cancelled'],
    ])
    await core.setStatus(clinic, id, 'confirmed')
    await core.dispatch()
    assert.deepEqual(await statesOf(id), PLANNED)
    assert.equal(await jobsOf(id), 2)
    const [first] = await core.planned(id)
    await core.send(clinic, first?.id ?? '')
    assert.deepEqual((await statesOf(id))[0], ['queued', null])
  })

  test('they stay planned in whatever order the events of the cancellation and of its undoing arrive', async () => {
    const { clinic, record } = await core.clinicWithPatient()
    const { id } = await core.book(clinic, { patient_id: record.id })
    await core.dispatch()
    await core.setStatus(clinic, id, 'cancelled')
    await core.setStatus(clinic, id, 'confirmed')
    const payload = { appointment_id: id, patient_id: record.id, patient_profile_id: record.profile_id }
    for (const order of [
      ['appointment.cancelled', 'appointment.status_reverted'],
      ['appointment.status_reverted', 'appointment.cancelled'],
    ]) {
      for (const type of order) {
        await core.database.query('insert into outbox_events (organization_id, type, payload) values ($1, $2, $3)', [
          clinic.id,
          type,
          payload,
        ])
        await core.dispatch()
      }
      assert.deepEqual(await statesOf(id), PLANNED, order.join())
    }
  })

  test('they are planned again when the visit is confirmed again, not only when its last status is undone', async () => {
    const { clinic, record } = await core.clinicWithPatient()
    const set = async (id: string, statuses: string[], more: object = {}) => {
      for (const status of statuses) {
        assert.equal((await core.setStatus(clinic, id, status, status === 'confirmed' ? more : {})).status, 200, status)
        await core.dispatch()
      }
    }
    const asked = await core.book(clinic, { patient_id: record.id, status: 'pending' })
    await set(asked.id, ['confirmed', 'pending', 'cancelled', 'pending'])
    assert.deepEqual((await statesOf(asked.id))[0], ['skipped', 'visit_cancelled'])
    await set(asked.id, ['confirmed'])
    assert.deepEqual(await statesOf(asked.id), PLANNED)
    assert.equal(await jobsOf(asked.id), 2)

    const waiting = { patient_id: record.id, status: 'waitlist', starts_at: undefined, specialist_id: undefined }
    const time = { starts_at: nextMonday(13).toISOString(), specialist_id: clinic.specialist.id }
    const entry = await core.book(clinic, waiting)
    await set(entry.id, ['confirmed', 'waitlist', 'cancelled', 'waitlist'], time)
    await set(entry.id, ['confirmed'], time)
    assert.deepEqual(await statesOf(entry.id), PLANNED)
  })

  test('they are planned again when they were skipped because the visit was not confirmed or had begun', async () => {
    const { clinic, record } = await core.clinicWithPatient()
    const { id } = await core.book(clinic, { patient_id: record.id, status: 'pending' })
    await core.setStatus(clinic, id, 'confirmed')
    await core.dispatch()
    for (const [status, reason] of [
      ['pending', 'visit_not_confirmed'],
      ['checked_in', 'visit_started'],
    ] as const) {
      assert.equal((await core.setStatus(clinic, id, status)).status, 200)
      for (const one of await core.planned(id)) await core.send(clinic, one.id)
      assert.deepEqual((await statesOf(id))[1], ['skipped', reason])
      assert.equal((await core.setStatus(clinic, id, 'confirmed')).status, 200)
      await core.dispatch()
      assert.deepEqual(await statesOf(id), PLANNED, reason)
    }
  })

  test('a visit that was not confirmed when it was cancelled gets them only once it is', async () => {
    const { clinic, record } = await core.clinicWithPatient()
    const { id } = await core.book(clinic, { patient_id: record.id, status: 'pending' })
    await core.setStatus(clinic, id, 'cancelled')
    await core.setStatus(clinic, id, 'pending')
    await core.dispatch()
    assert.deepEqual(await statesOf(id), [])
    await core.setStatus(clinic, id, 'confirmed')
    await core.dispatch()
    assert.deepEqual(await statesOf(id), PLANNED)
  })
})
