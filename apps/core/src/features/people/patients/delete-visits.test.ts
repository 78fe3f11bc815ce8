import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onServer, until } from '@tendon/testing'
import { dispatchOutbox } from '../../../platform/outbox.ts'
import { startCoreAndMail } from '../../connections/mails/mails.testing.ts'
import { bookings } from '../../scheduling/bookings/feature.ts'
import { runNotices } from '../../scheduling/bookings/notices.testing.ts'
import {
  created,
  holdBody,
  nextMonday,
  type SchedulingClinic,
  schedulingClinic,
} from '../../scheduling/clinic.testing.ts'

describe('deleting a patient with future visits', () => {
  let core: Awaited<ReturnType<typeof startCoreAndMail>>
  before(async () => {
    core = await startCoreAndMail()
  })
  after(() => core.close())

  const book = (clinic: SchedulingClinic, values: object) =>
    created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: { service_id: clinic.service.id, specialist_id: clinic.specialist.id, ...values },
      }),
    )
  const at = (hour: number) => nextMonday(hour).toISOString()

  async function clinicWithVisits() {
    const clinic = await schedulingClinic(core)
    const person = await core.signIn()
    const { id: patient_id } = await core.patient(clinic, person)
    const other = await core.patient(clinic, await core.signIn())
    const past = new Date(nextMonday(10).getTime() - 28 * 86_400_000).toISOString()
    await book(clinic, { patient_id, starts_at: past })
    const second = await book(clinic, { patient_id, starts_at: at(12), status: 'pending' })
    const first = await book(clinic, { patient_id, starts_at: at(9) })
    const cancelled = await book(clinic, { patient_id, starts_at: at(11) })
    await core.put(`/v1/appointments/${cancelled.id}/status`, { as: clinic.admin, body: { status: 'cancelled' } })
    const kept = await book(clinic, { patient_id: other.id, starts_at: at(10) })
    const waiting = await created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: { service_id: clinic.service.id, status: 'waitlist', patient_id },
      }),
    )
    return { clinic, person, patient_id, visits: [first, second], kept, waiting }
  }
  const statusOf = async (clinic: SchedulingClinic, id: string) =>
    (await core.get(`/v1/appointments/${id}`, { as: clinic.admin })).body.data.status

  test('deleting a patient with future visits is refused, naming the visits in the order of their start (409 has_future_visits)', async () => {
    const { clinic, patient_id, visits } = await clinicWithVisits()
    for (const path of ['', '?cancel_visits=false']) {
      const refused = await core.delete(`/v1/patients/${patient_id}${path}`, { as: clinic.admin })
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'has_future_visits'])
      assert.deepEqual(
        refused.body.error.visits,
        visits.map(({ id, starts_at }) => ({ id, starts_at })),
      )
    }
    assert.equal((await core.get(`/v1/patients/${patient_id}`, { as: clinic.admin })).body.data.deleted_at, null)
    assert.equal(await statusOf(clinic, visits[0].id), 'confirmed')
  })

  test('a person who may not see visits is refused too, without learning when they are', async () => {
    const { clinic, patient_id, visits } = await clinicWithVisits()
    const staff = await core.memberWith(clinic, ['patients.view_org', 'patients.delete'])
    const refused = await core.delete(`/v1/patients/${patient_id}`, { as: staff })
    assert.deepEqual([refused.body.error.code, refused.body.error.visits], ['has_future_visits', []])
    const cancelling = await core.delete(`/v1/patients/${patient_id}?cancel_visits=true`, { as: staff })
    assert.deepEqual(
      [cancelling.status, cancelling.body.error.code, cancelling.body.error.required],
      [403, 'forbidden', 'appointments.manage'],
    )
    assert.equal(await statusOf(clinic, visits[0].id), 'confirmed')
  })

  test('with cancel_visits it cancels them, frees their times, mails the patient and deletes the record', async () => {
    const { clinic, person, patient_id, visits, kept, waiting } = await clinicWithVisits()
    await runNotices(core.database, core.worker) // The patient knows of the visits.
    const deleted = await core.delete(`/v1/patients/${patient_id}?cancel_visits=true`, { as: clinic.admin })
    assert.equal(deleted.status, 204, deleted.text)
    for (const { id } of [...visits, waiting]) assert.equal(await statusOf(clinic, id), 'cancelled')
    assert.equal(await statusOf(clinic, kept.id), 'confirmed')
    assert.ok((await core.get(`/v1/patients/${patient_id}`, { as: clinic.admin })).body.data.deleted_at)
    const claims = await core.database.query<{ appointment_id: string }>(
      'select appointment_id from time_claims where organization_id = $1 and starts_at > now()',
      [clinic.id],
    )
    assert.deepEqual(claims, [{ appointment_id: kept.id }])
    const events = await core.database.query<{ type: string; id: string }>(
      `select type, payload ->> 'appointment_id' as id from outbox_events
       where organization_id = $1 and type = 'appointment.cancelled' and payload ->> 'appointment_id' = any ($2)`,
      [clinic.id, [...visits, waiting].map(({ id }) => id)],
    )
    assert.equal(events.length, 3)
    const entries = await core.database.query(
      `select 1 from audit_log where organization_id = $1 and action = 'appointments.cancel'`,
      [clinic.id],
    )
    assert.equal(entries.length, 4)
    await dispatchOutbox(core.worker.db, bookings.subscribers, {
      onFailure: (_event, error) => {
        throw error
      },
    })
    await runNotices(core.database, core.worker)
    const mails = await core.database.query<{ starts_at: string }>(
      `select data ->> 'starts_at' as starts_at from mail_outbox
       where to_address = $1 and template = 'booking_updated' and data ->> 'status' = 'cancelled' order by 1`,
      [person.email],
    )
    assert.deepEqual(
      mails.map(({ starts_at }) => starts_at),
      [at(9), at(12)],
    )
  })

  test('cancel_visits in a JSON body means the same', async () => {
    const { clinic, patient_id, visits } = await clinicWithVisits()
    const path = `/v1/patients/${patient_id}`
    // Node's client sends the length of a DELETE's body only when told.
    const send = (cancel_visits: unknown) => {
      const body = JSON.stringify({ cancel_visits })
      return core.delete(path, { as: clinic.admin, body, headers: { 'content-length': String(body.length) } })
    }
    assert.equal((await send('yes')).status, 422)
    assert.equal((await send(false)).body.error.code, 'has_future_visits')
    assert.equal((await send(true)).status, 204)
    assert.equal(await statusOf(clinic, visits[0].id), 'cancelled')
  })

  /** Both requests wait for a row, that of the service unless given: `first` has come, `second` comes then. */
  async function atOnce<First, Second>(
    clinic: SchedulingClinic,
    first: () => Promise<First>,
    second: () => Promise<Second>,
    lockRow = { text: 'select 1 from services where id = $1 for update', id: clinic.service.id },
  ): Promise<[First, Second]> {
    return onServer(new URL(core.database.url).pathname.slice(1), async (holder) => {
      const waiting = async (count: number) => (await core.database.countWaiting()) === count
      await holder.query('begin')
      await holder.query(lockRow.text, [lockRow.id])
      const one = first()
      await until(() => waiting(1))
      const other = second()
      await Promise.race([until(() => waiting(2)), other])
      await holder.query('commit')
      return Promise.all([one, other])
    })
  }
  const futureOf = (clinic: SchedulingClinic, patientId: string) =>
    core.database.query<{ status: string }>(
      `select status from appointments where organization_id = $1 and patient_id = $2 and starts_at > now()
         and status in ('pending', 'confirmed')`,
      [clinic.id, patientId],
    )

  test('a visit that is moved at the same moment is cancelled too', async () => {
    const clinic = await schedulingClinic(core)
    const { id: patient_id } = await core.patient(clinic, await core.signIn())
    const visit = await book(clinic, { patient_id, starts_at: at(9) })
    const [moved, deleted] = await atOnce(
      clinic,
      () => core.post(`/v1/appointments/${visit.id}/reschedule`, { as: clinic.admin, body: { starts_at: at(12) } }),
      () => core.delete(`/v1/patients/${patient_id}?cancel_visits=true`, { as: clinic.admin }),
    )
    assert.deepEqual([moved.status, deleted.status], [200, 204], `${moved.text} ${deleted.text}`)
    assert.deepEqual(await futureOf(clinic, patient_id), [])
    const [reason] = await core.database.query<{ cancellation_reason: string }>(
      'select cancellation_reason from appointments where id = $1',
      [visit.id],
    )
    assert.equal(reason?.cancellation_reason, 'rescheduled')
  })

  test('a visit that is linked to the patient at the same moment is cancelled too', async () => {
    const clinic = await schedulingClinic(core)
    const { id: patient_id } = await core.patient(clinic, await core.signIn())
    const visit = await book(clinic, { patient_id, starts_at: at(9) })
    const [linked, deleted] = await atOnce(
      clinic,
      () => core.post(`/v1/appointments/${visit.id}/link-patient`, { as: clinic.admin, body: { patient_id } }),
      () => core.delete(`/v1/patients/${patient_id}?cancel_visits=true`, { as: clinic.admin }),
      { text: 'select 1 from appointments where id = $1 for update', id: visit.id },
    )
    assert.deepEqual([linked.status, deleted.status], [200, 204], `${linked.text} ${deleted.text}`)
    assert.deepEqual(await futureOf(clinic, patient_id), [])
  })

  test('a booking without an account that the patient links at the same moment is cancelled too', async () => {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(9)) }))
    const booker = { name: 'Maria', email: person.email }
    await created(core.post('/v1/public/bookings', { body: { hold_id: held.id, booker } }))
    const [{ id }] = (await core.get('/v1/appointments', { as: clinic.admin })).body.data
    const as = { as: person, headers: { 'x-organization-id': clinic.id } }
    const [linked, deleted] = await atOnce(
      clinic,
      () => core.post(`/v1/me/bookings/${id}/link`, { ...as, body: {} }),
      () => core.delete(`/v1/patients/${record.id}?cancel_visits=true`, { as: clinic.admin }),
      { text: 'select 1 from appointments where id = $1 for update', id },
    )
    assert.deepEqual([linked.status, deleted.status], [204, 204], `${linked.text} ${deleted.text}`)
    assert.deepEqual(await futureOf(clinic, record.id), [])
    assert.equal(await statusOf(clinic, id), 'cancelled')
  })

  test('a visit that is booked at the same moment is named (409), and none is booked afterwards (422)', async () => {
    for (const isHeld of [false, true]) {
      const clinic = await schedulingClinic(core)
      const { id: patient_id } = await core.patient(clinic, await core.signIn())
      const { organization: _, ...time } = holdBody(clinic, nextMonday(9))
      const held = isHeld ? await created(core.post('/v1/holds', { as: clinic.admin, body: time })) : undefined
      const body = held
        ? { hold_id: held.id, patient_id }
        : { service_id: clinic.service.id, specialist_id: clinic.specialist.id, starts_at: at(9), patient_id }
      const [booked, deleted] = await atOnce(
        clinic,
        () => core.post('/v1/appointments', { as: clinic.admin, body }),
        () => core.delete(`/v1/patients/${patient_id}`, { as: clinic.admin }),
      )
      assert.deepEqual([booked.status, deleted.body?.error?.code], [201, 'has_future_visits'])
      const cancelling = await core.delete(`/v1/patients/${patient_id}?cancel_visits=true`, { as: clinic.admin })
      assert.equal(cancelling.status, 204, cancelling.text)
      const late = { service_id: clinic.service.id, specialist_id: clinic.specialist.id, starts_at: at(11), patient_id }
      const refused = await core.post('/v1/appointments', { as: clinic.admin, body: late })
      assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['patient_id']])
      assert.deepEqual(await futureOf(clinic, patient_id), [])
    }
  })
})
