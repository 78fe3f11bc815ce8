import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { systemContext } from '@tendon/access'
import { onServer, until } from '@tendon/testing'
import { createServices } from '../../../create-services.ts'
import type { JobPayload } from '../../../platform/jobs.ts'
import { type Person, startCore } from '../../../testing/core.ts'
import { jobTools } from '../../connections/job.testing.ts'
import { appointmentJobs } from '../appointments/jobs.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'
import { bookingDataClasses } from './data-classes.ts'
import { bookingJobs } from './jobs.ts'

const MOVED_COPY = `insert into appointments select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
  'rescheduled_from_id', a.id))).* from appointments a where id = $1 returning id`

describe('linking bookings without an account', () => {
  let core: Awaited<ReturnType<typeof startCore>>
  let worker: ReturnType<typeof createServices>
  before(async () => {
    core = await startCore()
    worker = createServices(core.config, 'tendon_worker', core.database.url)
  })
  after(async () => {
    await worker.close()
    await core.close()
  })

  async function openClinic() {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    return clinic
  }
  async function patientOf(clinic: SchedulingClinic, person: Person) {
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    return record
  }
  async function book(clinic: SchedulingClinic, email: string, hour = 10): Promise<string> {
    const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(hour)) }))
    const booker = { name: 'Maria', email, phone: '+40 721 000 000' }
    await created(core.post('/v1/public/bookings', { body: { hold_id: held.id, booker, patient_note: 'Stairs' } }))
    const [row] = await core.database.query<{ id: string }>(
      `select id from appointments where organization_id = $1 and booker ->> 'email' = $2 order by created_at desc limit 1`,
      [clinic.id, email],
    )
    return row?.id ?? ''
  }
  const mine = (person: Person, clinic: SchedulingClinic) =>
    core.get('/v1/me/bookings', { as: person, headers: { 'x-organization-id': clinic.id } })
  const answer = (person: Person, clinic: SchedulingClinic, id: string, act: 'link' | 'dismiss', body?: object) =>
    core.post(`/v1/me/bookings/${id}/${act}`, {
      as: person,
      headers: { 'x-organization-id': clinic.id },
      ...(body ? { body } : {}),
    })
  const rowOf = async (id: string) =>
    (
      await core.database.query<{ patient_id: string | null; booker: object | null; status: string }>(
        'select patient_id, booker, status from appointments where id = $1',
        [id],
      )
    )[0]

  const eraseBookings = async (clinic: SchedulingClinic, ids: string[]) => {
    const job = bookingJobs.find(({ name }) => name === 'bookings.erase')
    await job?.run({ appointment_ids: ids }, jobTools(worker, clinic.id))
  }

  const mailsTo = async (email: string) =>
    (await core.database.query('select 1 from mail_outbox where to_address = $1', [email])).length

  test('a patient with the verified address sees the booking and links it to their record', async () => {
    const clinic = await openClinic()
    const person = await core.signIn()
    const record = await patientOf(clinic, person)
    const id = await book(clinic, person.email.toUpperCase())
    const listed = await mine(person, clinic)
    assert.deepEqual(
      listed.body.data.map((one: { id: string }) => one.id),
      [id],
    )
    // Not a part of the number: a random id can contain three given digits.
    assert.ok(!listed.text.includes('Stairs') && !listed.text.includes('721 000 000'))
    assert.equal((await answer(person, clinic, id, 'link', {})).status, 204)
    assert.equal((await rowOf(id))?.patient_id, record.id)
    assert.deepEqual((await mine(person, clinic)).body.data, [])
    const own = await core.get('/v1/me/appointments', { as: person, headers: { 'x-organization-id': clinic.id } })
    assert.equal(own.body.data[0].id, id)
  })

  test('the record that a booking is linked to is named by its id in either case', async () => {
    const clinic = await openClinic()
    const person = await core.signIn()
    await patientOf(clinic, person)
    const child = await patientOf(clinic, person)
    const id = await book(clinic, person.email)
    const linked = await answer(person, clinic, id.toUpperCase(), 'link', { patient_id: child.id.toUpperCase() })
    assert.equal(linked.status, 204, linked.text)
    assert.equal((await rowOf(id))?.patient_id, child.id)
  })

  test('a declined booking is not offered again, and stays booked', async () => {
    const clinic = await openClinic()
    const person = await core.signIn()
    await patientOf(clinic, person)
    const id = await book(clinic, person.email)
    assert.equal((await answer(person, clinic, id, 'dismiss')).status, 204)
    assert.deepEqual((await mine(person, clinic)).body.data, [])
    assert.deepEqual([(await rowOf(id))?.status, (await rowOf(id))?.patient_id], ['confirmed', null])
    assert.equal((await answer(person, clinic, id, 'link', {})).body.error.code, 'booking_not_found')
  })

  test('a booking cannot be linked with another or unverified address, at another clinic, or to another patient’s record', async () => {
    const [clinic, other] = [await openClinic(), await openClinic()]
    const person = await core.signIn()
    const id = await book(clinic, person.email)
    await patientOf(other, person)
    assert.deepEqual((await mine(person, other)).body.data, [])
    const stranger = await core.signIn()
    const strangersRecord = await patientOf(clinic, stranger)
    assert.deepEqual((await mine(stranger, clinic)).body.data, [])
    assert.equal((await answer(stranger, clinic, id, 'link', {})).status, 404)
    assert.equal((await answer(stranger, clinic, id, 'dismiss')).status, 404)
    await patientOf(clinic, person)
    const foreign = await answer(person, clinic, id, 'link', { patient_id: strangersRecord.id })
    assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'patient_not_found'])
    await core.database.query('update humans set email_verified = false where id = $1', [person.id])
    const unverified = await core.services.db.tenant(
      { principalId: person.id, organizationId: clinic.id, permissions: '', profileIds: [] },
      async (tx) => tx.selectFrom('appointments').select('id').execute(),
    )
    assert.deepEqual(unverified, [])
  })

  test('30 days after the appointment its link ends; contacts and notes are cleared, unless it was linked', async () => {
    const clinic = await openClinic()
    const person = await core.signIn()
    await patientOf(clinic, person)
    const [unlinked, linked, recent] = [
      await book(clinic, `${randomUUID()}@mail.example`, 8),
      await book(clinic, person.email, 9),
      await book(clinic, `${randomUUID()}@mail.example`, 11),
    ]
    await answer(person, clinic, linked, 'link', {})
    const shift = (id: string, days: number) =>
      core.database.query(
        `update appointments set starts_at = now() - $2 * interval '1 day', ends_at = now() - $2 * interval '1 day' + interval '1 hour'
         where id = $1`,
        [id, days],
      )
    await shift(unlinked, 31)
    await shift(linked, 32)
    await shift(recent, 29)
    await bookingJobs[0]?.run({}, jobTools(worker))
    assert.equal((await rowOf(unlinked))?.booker, null)
    assert.ok((await rowOf(linked))?.booker && (await rowOf(recent))?.booker)
    const links = await core.database.query<{ appointment_id: string }>(
      'select appointment_id from booking_links where appointment_id = any ($1)',
      [[unlinked, linked, recent]],
    )
    assert.deepEqual(links, [{ appointment_id: recent }])
  })

  test('exports list unlinked bookings of the address without contacts; erasure deletes future ones', async () => {
    const clinic = await openClinic()
    const person = await core.signIn()
    const record = await patientOf(clinic, person)
    const id = await book(clinic, person.email)
    const foreign = await book(clinic, `${randomUUID()}@mail.example`, 12)
    const [bookings] = bookingDataClasses
    assert.ok(bookings && 'rows' in bookings.export && typeof bookings.export.rows === 'function')
    const { rows } = bookings.export
    const subject = { patient_id: record.id, patient_profile_id: record.profile_id }
    const exported = await worker.db.tenant(systemContext(clinic.id), (tx) => rows(tx, subject, undefined, 10))
    assert.deepEqual(
      exported.map((row) => [row.id, Object.keys(row).includes('booker')]),
      [[id, false]],
    )
    const run = 'run' in bookings.erase ? bookings.erase.run : undefined
    const erasure = {
      ...subject,
      request_id: randomUUID(),
      services: worker,
      organizationId: clinic.id,
      code: 'x',
      now: new Date(),
    }
    const count = await worker.db.tenant(systemContext(clinic.id), async (tx) => run?.(tx, erasure))
    assert.equal(count, 1)
    assert.equal(await rowOf(id), undefined)
    assert.equal((await rowOf(foreign))?.status, 'confirmed')
  })

  test('erasing an account erases a booking and its mails also when it was moved before the job runs', async () => {
    const clinic = await openClinic()
    const email = `${randomUUID()}@mail.example`
    const id = await book(clinic, email)
    const foreignEmail = `${randomUUID()}@mail.example`
    const foreign = await book(clinic, foreignEmail, 12)
    const body = { starts_at: nextMonday(15).toISOString() }
    const { status, body: moved } = await core.post(`/v1/appointments/${id}/reschedule`, { as: clinic.admin, body })
    assert.equal(status, 200)
    assert.ok((await mailsTo(email)) > 0)
    const foreignMails = await mailsTo(foreignEmail)
    assert.ok(foreignMails > 0)
    await eraseBookings(clinic, [id])
    assert.deepEqual([await rowOf(id), await rowOf(moved.data.id), await mailsTo(email)], [undefined, undefined, 0])
    assert.equal((await rowOf(foreign))?.status, 'confirmed')
    assert.equal(await mailsTo(foreignEmail), foreignMails)
  })

  test('erasing an account leaves a booking that was linked to a patient, and its mails', async () => {
    const clinic = await openClinic()
    const person = await core.signIn()
    await patientOf(clinic, person)
    const id = await book(clinic, person.email)
    assert.equal((await answer(person, clinic, id, 'link', {})).status, 204)
    const [before, mails] = [await rowOf(id), await mailsTo(person.email)]
    await eraseBookings(clinic, [id])
    assert.deepEqual([await rowOf(id), await mailsTo(person.email)], [before, mails])
  })

  test('a mail that a worker was writing during the erasure of an account is erased minutes later', async () => {
    const clinic = await openClinic()
    const email = `${randomUUID()}@mail.example`
    const id = await book(clinic, email)
    const body = { starts_at: nextMonday(15).toISOString() }
    assert.equal((await core.post(`/v1/appointments/${id}/reschedule`, { as: clinic.admin, body })).status, 200)
    const written = await core.database.query('select * from mail_outbox where to_address = $1', [email])
    await eraseBookings(clinic, [id])
    assert.equal(await mailsTo(email), 0)
    await core.database.query(
      'insert into mail_outbox select (jsonb_populate_record(null::mail_outbox, m)).* from jsonb_array_elements($1) m',
      [JSON.stringify(written)],
    )
    assert.ok((await mailsTo(email)) > 0)
    const added = await core.database.query<{ payload: { payload: JobPayload } }>(
      `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'appointments.erase_mails' and j.payload ->> 'organization_id' = $1 and j.run_at > now()`,
      [clinic.id],
    )
    const job = appointmentJobs.find(({ name }) => name === 'appointments.erase_mails')
    for (const { payload } of added) await job?.run(payload.payload, jobTools(worker, clinic.id))
    assert.deepEqual([added.length, await mailsTo(email)], [1, 0])
  })

  test('a move that an erasure of the booking waits for is erased too', async () => {
    const clinic = await openClinic()
    const id = await book(clinic, `${randomUUID()}@mail.example`)
    const moved = await onServer(new URL(core.database.url).pathname.slice(1), async (moving) => {
      await moving.query('begin')
      await moving.query('select 1 from appointments where id = $1 for update', [id])
      const erased = eraseBookings(clinic, [id])
      await until(async () => (await core.database.countWaiting()) > 0)
      const copied = await moving.query(MOVED_COPY, [id])
      await moving.query('commit')
      await erased
      return String(copied.rows[0]?.id)
    })
    assert.deepEqual([await rowOf(id), await rowOf(moved)], [undefined, undefined])
  })
})
