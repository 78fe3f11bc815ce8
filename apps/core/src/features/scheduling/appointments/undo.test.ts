import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AppointmentStatus } from '@tendon/contracts'
import { type Answer, sharedCore, type TestCore } from '../../../testing/core.ts'
import {
  created,
  holdBody,
  lastMonday,
  nextMonday,
  type SchedulingClinic,
  schedulingClinic,
} from '../clinic.testing.ts'

describe('undoing the status of an appointment', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.error?.code]
  const newAppointment = (clinic: SchedulingClinic, values: object = {}) =>
    core.post('/v1/appointments', {
      as: clinic.admin,
      body: {
        service_id: clinic.service.id,
        specialist_id: clinic.specialist.id,
        starts_at: nextMonday().toISOString(),
        ...values,
      },
    })
  const book = (clinic: SchedulingClinic, values: object = {}) => created(newAppointment(clinic, values))
  const put = (clinic: SchedulingClinic, id: string, status: string, more: object = {}) =>
    core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status, ...more } })
  async function setStatus(clinic: SchedulingClinic, id: string, status: string, more: object = {}) {
    const answer = await put(clinic, id, status, more)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  async function withPatient(clinic: SchedulingClinic) {
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    return { record, as: { as: person, headers: { 'x-organization-id': clinic.id } } }
  }
  const claimsOf = (id: string) =>
    core.database.query('select 1 from time_claims where appointment_id = $1', [id]).then(({ length }) => length)
  const eventsOf = (id: string) =>
    core.database.query<{ payload: object }>(
      `select payload from outbox_events where type = 'appointment.status_reverted' and payload ->> 'appointment_id' = $1`,
      [id],
    )

  test('each status that staff set is undone: what was kept with it goes, its time is taken or freed, an event says so', async () => {
    const ways: [AppointmentStatus, AppointmentStatus[]][] = [
      ['pending', ['confirmed']],
      ['pending', ['cancelled']],
      ['confirmed', ['checked_in']],
      ['confirmed', ['completed']],
      ['confirmed', ['no_show']],
      ['confirmed', ['cancelled']],
      ['confirmed', ['checked_in', 'completed']],
      ['confirmed', ['checked_in', 'cancelled']],
      ['confirmed', ['no_show', 'checked_in']],
      ['waitlist', ['cancelled']],
    ]
    const clinic = await schedulingClinic(core)
    for (const [index, [first, path]] of ways.entries()) {
      const name = [first, ...path].join(' → ')
      const time = new Date(lastMonday(7).getTime() + index * 2 * 3_600_000).toISOString()
      const { id } = await book(clinic, { status: first, starts_at: time })
      let from: AppointmentStatus = first
      let to: AppointmentStatus = first
      for (const status of path) {
        ;[from, to] = [to, status]
        assert.equal((await setStatus(clinic, id, status)).previous_status, from, name)
      }
      const undone = await setStatus(clinic, id, from)
      assert.deepEqual([undone.status, undone.previous_status, undone.status_set_by], [from, null, 'staff'], name)
      const times = [undone.cancelled_at, undone.cancelled_by, undone.cancellation_reason, undone.completed_at]
      assert.deepEqual(times, Array(4).fill(null), name)
      assert.equal(undone.checked_in_at === null, from !== 'checked_in', name)
      assert.equal(undone.confirmed_at === null, first !== 'confirmed', name)
      assert.equal(await claimsOf(id), from === 'waitlist' || from === 'no_show' ? 0 : 1, name)
      assert.deepEqual(
        (await eventsOf(id)).map(({ payload }) => payload),
        [{ appointment_id: id, patient_id: null, patient_profile_id: null, from: to, to: from }],
        name,
      )
      assert.deepEqual(codeOf(await put(clinic, id, to === 'confirmed' ? 'no_show' : from)), [
        409,
        'invalid_transition',
      ])
    }
    const logged = await core.database.query(
      `select 1 from audit_log where organization_id = $1 and action = 'appointments.revert'`,
      [clinic.id],
    )
    assert.equal(logged.length, ways.length)
  })

  test('a booked waitlist entry waits again, without the time and specialist that it was given', async () => {
    const clinic = await schedulingClinic(core)
    for (const status of ['pending', 'confirmed']) {
      const waiting = await book(clinic, { status: 'waitlist', starts_at: undefined, specialist_id: undefined })
      const time = { starts_at: nextMonday().toISOString(), specialist_id: clinic.specialist.id }
      await setStatus(clinic, waiting.id, status, time)
      const undone = await setStatus(clinic, waiting.id, 'waitlist')
      assert.deepEqual(
        [undone.status, undone.starts_at, undone.ends_at, undone.specialist_id],
        ['waitlist', null, null, null],
      )
      assert.equal(await claimsOf(waiting.id), 0)
      assert.equal(codeOf(await put(clinic, waiting.id, status))[0], 422)
    }
    await book(clinic)
  })

  test('after 24 hours it is refused (undo_expired), until then it is not', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await book(clinic)
    await setStatus(clinic, id, 'cancelled')
    const setAt = (age: string) =>
      core.database.query(`update appointments set status_set_at = now() - $2::interval where id = $1`, [id, age])
    await setAt('24 hours 1 second')
    assert.deepEqual(codeOf(await put(clinic, id, 'confirmed')), [409, 'undo_expired'])
    await setAt('23 hours 59 minutes')
    await setStatus(clinic, id, 'confirmed')
  })

  test('what the patient cancelled, a moved visit and one entered in error stay as they are (undo_refused)', async () => {
    const clinic = await schedulingClinic(core)
    const { record, as } = await withPatient(clinic)
    const own = await book(clinic, { patient_id: record.id })
    assert.equal((await core.post(`/v1/me/appointments/${own.id}/cancel`, { ...as, body: {} })).status, 200)
    assert.deepEqual(codeOf(await put(clinic, own.id, 'confirmed')), [409, 'undo_refused'])
    const moved = await book(clinic)
    const body = { starts_at: nextMonday(12).toISOString() }
    assert.equal((await core.post(`/v1/appointments/${moved.id}/reschedule`, { as: clinic.admin, body })).status, 200)
    assert.deepEqual(codeOf(await put(clinic, moved.id, 'confirmed')), [409, 'undo_refused'])
    const wrong = await book(clinic, { starts_at: nextMonday(8).toISOString() })
    assert.equal((await core.delete(`/v1/appointments/${wrong.id}`, { as: clinic.admin })).status, 204)
    assert.deepEqual(codeOf(await put(clinic, wrong.id, 'confirmed')), [409, 'undo_refused'])
    for (const { id } of [own, moved, wrong]) assert.equal(await claimsOf(id), 0)
  })

  test('a cancelled visit of a deleted patient stays cancelled (undo_refused)', async () => {
    const clinic = await schedulingClinic(core)
    const { record } = await withPatient(clinic)
    const { id } = await book(clinic, { patient_id: record.id })
    const path = `/v1/patients/${record.id}?cancel_visits=true`
    assert.equal((await core.delete(path, { as: clinic.admin })).status, 204)
    assert.deepEqual(codeOf(await put(clinic, id, 'confirmed')), [409, 'undo_refused'])
  })

  test('a cancelled visit stays cancelled when its specialist, service or location was deleted since (undo_refused)', async () => {
    for (const deleted of ['specialists', 'services', 'locations']) {
      const clinic = await schedulingClinic(core)
      const location = await created(
        core.post(`/v1/organizations/${clinic.id}/locations`, { as: clinic.admin, body: { name: 'Centre' } }),
      )
      const { id } = await book(clinic, { location_id: location.id })
      await setStatus(clinic, id, 'cancelled')
      const paths: Record<string, string> = {
        specialists: `/v1/specialists/${clinic.specialist.id}`,
        services: `/v1/services/${clinic.service.id}`,
        locations: `/v1/organizations/${clinic.id}/locations/${location.id}`,
      }
      const answer = await core.delete(paths[deleted] ?? '', { as: clinic.admin })
      assert.ok([200, 204].includes(answer.status), answer.text)
      assert.deepEqual(codeOf(await put(clinic, id, 'confirmed')), [409, 'undo_refused'], deleted)
      assert.equal(await claimsOf(id), 0)
    }
  })

  test('a time that was given to somebody else is not taken back (slot_taken)', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await book(clinic)
    await setStatus(clinic, id, 'cancelled')
    const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic) }))
    assert.deepEqual(codeOf(await put(clinic, id, 'confirmed')), [409, 'slot_taken'])
    await core.delete(`/v1/public/holds/${held.id}`)
    const other = await book(clinic)
    assert.deepEqual(codeOf(await put(clinic, id, 'confirmed')), [409, 'slot_taken'])
    await setStatus(clinic, other.id, 'cancelled')
    await setStatus(clinic, id, 'confirmed')
  })

  test('a missed visit whose time was given to somebody else is neither undone nor marked as arrived (slot_taken)', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await book(clinic, { starts_at: lastMonday().toISOString() })
    await setStatus(clinic, id, 'no_show')
    await book(clinic, { starts_at: lastMonday().toISOString() })
    for (const status of ['confirmed', 'checked_in'])
      assert.deepEqual(codeOf(await put(clinic, id, status)), [409, 'slot_taken'])
    assert.equal((await core.get(`/v1/appointments/${id}`, { as: clinic.admin })).body.data.status, 'no_show')
  })

  test('a patient who has another appointment then does not get this one back (patient_busy)', async () => {
    const clinic = await schedulingClinic(core)
    const { record } = await withPatient(clinic)
    const other = await schedulingClinic(core)
    assert.ok(other.id)
    const { id } = await book(clinic, { patient_id: record.id })
    await setStatus(clinic, id, 'cancelled')
    const name = { name: 'Dan', slug: `dan-${id}`, scheduling_timezone: 'Europe/Bucharest' }
    const dan = await created(core.post('/v1/specialists', { as: clinic.admin, body: name }))
    await book(clinic, { patient_id: record.id, specialist_id: dan.id })
    assert.deepEqual(codeOf(await put(clinic, id, 'confirmed')), [409, 'patient_busy'])
    assert.equal(await claimsOf(id), 0)
  })

  test('while processing is restricted no visit comes back (processing_restricted)', async () => {
    const clinic = await schedulingClinic(core)
    const { record } = await withPatient(clinic)
    const future = await book(clinic, { patient_id: record.id })
    const past = await book(clinic, { patient_id: record.id, starts_at: lastMonday().toISOString() })
    await setStatus(clinic, future.id, 'cancelled')
    await setStatus(clinic, past.id, 'no_show')
    await core.database.query('update patients set restricted_at = now() where id = $1', [record.id])
    for (const { id } of [future, past])
      assert.deepEqual(codeOf(await put(clinic, id, 'confirmed')), [409, 'processing_restricted'])
    assert.deepEqual(codeOf(await put(clinic, past.id, 'checked_in')), [409, 'processing_restricted'])
  })

  test('a full day takes a visit back only when staff say so (day_full)', async () => {
    const clinic = await schedulingClinic(core, { max_per_day: 1 })
    const { id } = await book(clinic)
    await setStatus(clinic, id, 'cancelled')
    await book(clinic, { starts_at: nextMonday(12).toISOString() })
    assert.deepEqual(codeOf(await put(clinic, id, 'confirmed')), [409, 'day_full'])
    await setStatus(clinic, id, 'confirmed', { over_limit: true })
  })

  test('a completed visit with a review or a certificate of attendance stays completed (has_documents)', async () => {
    const clinic = await schedulingClinic(core)
    const { record, as } = await withPatient(clinic)
    const visit = async (hour: number) => {
      const { id } = await book(clinic, { patient_id: record.id, starts_at: lastMonday(hour).toISOString() })
      await setStatus(clinic, id, 'completed')
      return id
    }
    const [reviewed, certified, free] = [await visit(8), await visit(10), await visit(12)]
    await created(core.post(`/v1/appointments/${reviewed}/reviews`, { ...as, body: { rating: 5 } }))
    const documents = (id: string, kind: string) =>
      created(core.post(`/v1/appointments/${id}/documents`, { as: clinic.admin, body: { kind } }))
    await documents(certified, 'attendance_certificate')
    await documents(free, 'appointment_letter')
    for (const id of [reviewed, certified])
      assert.deepEqual(codeOf(await put(clinic, id, 'confirmed')), [409, 'has_documents'])
    await setStatus(clinic, free, 'confirmed')
  })

  test('a consent that was withdrawn meanwhile is missing from a video visit that comes back', async () => {
    const clinic = await schedulingClinic(core, { modes: ['video'] })
    const { record } = await withPatient(clinic)
    const { id } = await book(clinic, { patient_id: record.id, mode: 'video' })
    await setStatus(clinic, id, 'cancelled')
    await core.database.query(`update appointments set missing_consents = '{}' where id = $1`, [id])
    assert.deepEqual((await setStatus(clinic, id, 'confirmed')).missing_consents, ['telemedicine'])
  })

  test('of two who undo at once one does; of an undo and bookings of the freed time one gets it', async () => {
    const clinic = await schedulingClinic(core)
    const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)
    for (let round = 0; round < 5; round++) {
      const { id } = await book(clinic)
      await setStatus(clinic, id, 'cancelled')
      const twice = await Promise.all([put(clinic, id, 'confirmed'), put(clinic, id, 'confirmed')])
      assert.deepEqual(statuses(twice), [200, 409])
      assert.equal((await eventsOf(id)).length, 1)
      await setStatus(clinic, id, 'cancelled')
      const rivals = [put(clinic, id, 'confirmed'), newAppointment(clinic), newAppointment(clinic)]
      const [undone, ...booked] = await Promise.all(round % 2 === 0 ? rivals : [...rivals].reverse())
      const answers = undone ? [undone, ...booked] : booked
      assert.deepEqual(statuses(answers).slice(1), [409, 409])
      const rows = await core.database.query<{ id: string }>(
        `select a.id from appointments a join time_claims c on c.appointment_id = a.id
         where a.organization_id = $1 and a.status = 'confirmed'`,
        [clinic.id],
      )
      assert.equal(rows.length, 1)
      await setStatus(clinic, rows[0]?.id ?? '', 'cancelled')
    }
  })

  test('who may only see appointments undoes nothing, nor does anybody of another clinic', async () => {
    const [clinic, other] = [await schedulingClinic(core), await schedulingClinic(core)]
    const { id } = await book(clinic)
    await setStatus(clinic, id, 'cancelled')
    const as = await core.memberWith(clinic, ['appointments.view_org'])
    const path = `/v1/appointments/${id}/status`
    const body = { status: 'confirmed' }
    assert.deepEqual(codeOf(await core.put(path, { as, body })), [403, 'forbidden'])
    assert.deepEqual(codeOf(await core.put(path, { as: other.admin, body })), [404, 'appointment_not_found'])
    assert.equal((await core.get(`/v1/appointments/${id}`, { as: clinic.admin })).body.data.status, 'cancelled')
  })

  test('an undo gives no new time (422)', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await book(clinic)
    await setStatus(clinic, id, 'cancelled')
    const refused = await put(clinic, id, 'confirmed', { starts_at: nextMonday(12).toISOString() })
    assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['starts_at']])
  })
})
