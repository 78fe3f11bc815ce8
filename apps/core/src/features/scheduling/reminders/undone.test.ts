import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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
