import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onServer, until } from '@tendon/testing'
import { bodyOf, FILES, partOf, upload } from '../../platform/uploads.testing.ts'
import type { Answer } from '../../testing/core.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from './clinic.testing.ts'
import { startReminders } from './reminders/reminders.testing.ts'

const LOCK_PATIENT = `select pg_advisory_xact_lock(hashtextextended('consents ' || patient_profile_id, 0)) from patients where id = $1`
const LOCK_SPECIALIST = `select pg_advisory_xact_lock(hashtextextended('appointments of ' || $1::uuid, 0))`
const LOCK_VISIT = 'select 1 from appointments where id = $1 for update'

/** One lock after the other is taken in the same order everywhere: patient, specialists, then rows. */
describe('order of locks', () => {
  let core: Awaited<ReturnType<typeof startReminders>>
  before(async () => {
    core = await startReminders()
  })
  after(() => core.close())

  /** Another transaction has the first lock. When the request waits for it, the second must still be free. */
  async function waitsWithout<Result>(
    first: readonly [sql: string, id: string],
    request: () => Promise<Result>,
    second: readonly [sql: string, id?: string],
  ): Promise<Result> {
    return onServer(new URL(core.database.url).pathname.slice(1), async (other) => {
      await other.query('begin')
      await other.query(first[0], [first[1]])
      const result = request()
      await until(async () => (await core.database.countWaiting()) > 0)
      await other.query(`${second[0]} nowait`, second.slice(1))
      await other.query('commit')
      return result
    })
  }

  async function patientWithVisit() {
    const { clinic, record } = await core.clinicWithPatient()
    const { id: visitId } = await core.book(clinic, { patient_id: record.id })
    return { clinic, patientId: record.id, visitId }
  }
  const reschedule = (clinic: SchedulingClinic, visitId: string): Promise<Answer> =>
    core.post(`/v1/appointments/${visitId}/reschedule`, {
      as: clinic.admin,
      body: { starts_at: nextMonday(12).toISOString() },
    })

  test('a move waits for the erasure of its patient before it locks the visit', async () => {
    const { clinic, patientId, visitId } = await patientWithVisit()
    const { status, text } = await waitsWithout([LOCK_PATIENT, patientId], () => reschedule(clinic, visitId), [
      LOCK_VISIT,
      visitId,
    ])
    assert.equal(status, 200, text)
  })

  test('a change of a visit waits for the erasure of its patient before it locks the visit', async () => {
    const { clinic, patientId, visitId } = await patientWithVisit()
    const { status, text } = await waitsWithout(
      [LOCK_PATIENT, patientId],
      () => core.put(`/v1/appointments/${visitId}/status`, { as: clinic.admin, body: { status: 'cancelled' } }),
      [LOCK_VISIT, visitId],
    )
    assert.equal(status, 200, text)
  })

  test('a file of a visit waits for the erasure of its patient before it names the visit', async () => {
    const { clinic, patientId, visitId } = await patientWithVisit()
    const file = partOf(FILES.pdf, 'application/pdf', 'letter.pdf')
    const { status } = await waitsWithout(
      [LOCK_PATIENT, patientId],
      () => upload(`${core.url}/v1/appointments/${visitId}/files`, clinic.admin, bodyOf(file)),
      [LOCK_VISIT, visitId],
    )
    assert.equal(status, 201)
  })

  test('planning the reminders of a visit waits for the erasure of its patient before it names the visit', async () => {
    const { patientId, visitId } = await patientWithVisit()
    const row = 'select 1 from patients where id = $1 for update'
    await waitsWithout([row, patientId], () => core.dispatch(), [LOCK_VISIT, visitId])
    const planned = await core.database.query('select 1 from appointment_reminders where appointment_id = $1', [
      visitId,
    ])
    assert.equal(planned.length, 2)
  })

  test('the booking of a hold waits for the erasure of its patient before it locks the hold', async () => {
    const { clinic, patientId } = await patientWithVisit()
    const { id: hold_id } = await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(12)) }))
    const { status, text } = await waitsWithout(
      [LOCK_PATIENT, patientId],
      () => core.post('/v1/appointments', { as: clinic.admin, body: { hold_id, patient_id: patientId } }),
      ['select 1 from holds where id = $1 for update', hold_id],
    )
    assert.equal(status, 201, text)
  })

  test('a series waits for the moves of its specialist before it takes a time', async () => {
    const clinic = await schedulingClinic(core)
    const { series_id } = await waitsWithout(
      [LOCK_SPECIALIST, clinic.specialist.id],
      () => core.book(clinic, { repeat: { every_weeks: 1, count: 3 } }),
      ['lock table time_claims in share mode'],
    )
    assert.notEqual(series_id, null)
  })

  async function visitWithField() {
    const clinic = await schedulingClinic(core)
    const field = { entity_type: 'appointment', key: 'room', label: 'Room', field_type: 'text' }
    const { id } = await created(core.post('/v1/custom-fields', { as: clinic.admin, body: field }))
    const { id: visitId } = await core.book(clinic, { custom_fields: { room: 'A' } })
    return { clinic, id, visitId }
  }

  test('a change of the custom fields of a visit waits for the visit before it locks a field', async () => {
    const { clinic, id, visitId } = await visitWithField()
    const { status, body } = await waitsWithout(
      [LOCK_VISIT, visitId],
      () => core.patch(`/v1/appointments/${visitId}`, { as: clinic.admin, body: { custom_fields: { room: 'B' } } }),
      ['select 1 from custom_fields where id = $1 for update', id],
    )
    assert.deepEqual([status, body.data.custom_fields], [200, { room: 'B' }])
  })

  test('a visit with custom fields waits for the erasure of its patient before it locks a field', async () => {
    const { clinic, id } = await visitWithField()
    const { id: patient_id } = await core.patient(clinic)
    const visit = await waitsWithout(
      [LOCK_PATIENT, patient_id],
      () => core.book(clinic, { patient_id, custom_fields: { room: 'B' }, starts_at: nextMonday(13).toISOString() }),
      ['select 1 from custom_fields where id = $1 for update', id],
    )
    assert.deepEqual(visit.custom_fields, { room: 'B' })
  })

  test('the deletion of a custom field waits for who writes a visit before it locks the field', async () => {
    const { clinic, id, visitId } = await visitWithField()
    const { status, text } = await waitsWithout(
      [LOCK_VISIT, visitId],
      () => core.delete(`/v1/custom-fields/${id}`, { as: clinic.admin }),
      ['select 1 from custom_fields where id = $1 for key share', id],
    )
    assert.equal(status, 204, text)
  })
})
