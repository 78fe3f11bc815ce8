import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { bodyOf, FILES, partOf, upload } from '../../platform/uploads.testing.ts'
import { unzip } from '../../platform/zip.testing.ts'
import type { Person } from '../../testing/core.ts'
import { type CoreAndWorker, startCoreAndWorker } from '../privacy/gdpr/work.testing.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from './clinic.testing.ts'

describe('scheduling data of an erased patient', () => {
  let core: CoreAndWorker
  let stop: () => Promise<void>
  before(async () => {
    core = await startCoreAndWorker()
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await core.close()
  })

  const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    core.database.query<Row>(text, values)
  const count = async (from: string, values: unknown[]) =>
    Number((await query<{ n: string }>(`select count(*) as n from ${from}`, values))[0]?.n)
  const staff = (clinic: SchedulingClinic, path: string, body: object = {}) =>
    created(core.post(path, { as: clinic.admin, body }))
  const book = (clinic: SchedulingClinic, hour: number, values: object = {}) =>
    staff(clinic, '/v1/appointments', {
      service_id: clinic.service.id,
      specialist_id: clinic.specialist.id,
      starts_at: nextMonday(hour).toISOString(),
      ...values,
    })
  const put = async (clinic: SchedulingClinic, id: string, status: string) =>
    assert.equal((await core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status } })).status, 200)
  /** Moves it two weeks into the past, and completes it. */
  async function takePlace(clinic: SchedulingClinic, id: string): Promise<void> {
    await query(`delete from time_claims where appointment_id = $1`, [id])
    await query(
      `update appointments set starts_at = starts_at - interval '35 days', ends_at = ends_at - interval '35 days' where id = $1`,
      [id],
    )
    await put(clinic, id, 'completed')
  }
  const publicHold = (clinic: SchedulingClinic, hour: number) =>
    created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(hour)) }))
  async function visitorBooks(clinic: SchedulingClinic, hour: number, email: string): Promise<string> {
    const { id } = await publicHold(clinic, hour)
    const body = { hold_id: id, booker: { name: 'Maria Pop', email }, patient_note: 'Stairs' }
    await created(core.post('/v1/public/bookings', { body }))
    const rows = await query<{ id: string }>(
      `select id from appointments where organization_id = $1 and booker ->> 'email' = $2`,
      [clinic.id, email],
    )
    return rows[0]?.id ?? ''
  }
  const rowOf = async (id: string) =>
    (
      await query<{ status: string; booker: object | null; notes: string | null }>(
        'select status, booker, notes from appointments where id = $1',
        [id],
      )
    )[0]

  async function clinicAndPatient(): Promise<{ clinic: SchedulingClinic; person: Person; record: Record_ }> {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    return { clinic, person, record }
  }
  type Record_ = Awaited<ReturnType<CoreAndWorker['patient']>>
  const erase = async (clinic: SchedulingClinic, patientId: string) => {
    const request = await core.ended(clinic, await core.ask('erase', clinic, patientId))
    assert.equal(request.status, 'completed', JSON.stringify(request))
    return request
  }

  test('an open waitlist offer is deleted, and its time is free', async () => {
    const { clinic, record } = await clinicAndPatient()
    const entry = await staff(clinic, '/v1/appointments', {
      service_id: clinic.service.id,
      patient_id: record.id,
      status: 'waitlist',
    })
    const week = 7 * 86_400_000
    await staff(clinic, `/v1/appointments/${entry.id}/offer`, {
      starts_at: new Date(nextMonday(10).getTime() + week).toISOString(),
      specialist_id: clinic.specialist.id,
    })
    assert.equal(await count('time_claims where organization_id = $1', [clinic.id]), 1)
    await erase(clinic, record.id)
    assert.equal(await count('waitlist_offers where organization_id = $1', [clinic.id]), 0)
    assert.equal(await count('time_claims where organization_id = $1', [clinic.id]), 0)
  })

  test('future appointments are deleted and their time is free; past ones stay without booker and notes', async () => {
    const { clinic, person, record } = await clinicAndPatient()
    const own = { as: person, headers: { 'x-organization-id': clinic.id } }
    await staff(clinic, '/v1/custom-fields', {
      entity_type: 'appointment',
      key: 'room',
      label: 'Room',
      field_type: 'text',
    })
    const past = await book(clinic, 7, {
      patient_id: record.id,
      notes: 'Talks a lot',
      patient_note: 'Stairs',
      custom_fields: { room: 'A' },
    })
    await takePlace(clinic, past.id)
    await staff(clinic, `/v1/appointments/${past.id}/documents`, { kind: 'attendance_certificate' })
    await created(core.post(`/v1/appointments/${past.id}/reviews`, { ...own, body: { rating: 5, comment: 'Good' } }))
    const future = await book(clinic, 8, { patient_id: record.id, notes: 'Bring the scan' })
    const moved = await core.post(`/v1/appointments/${future.id}/reschedule`, {
      as: clinic.admin,
      body: { starts_at: nextMonday(9).toISOString() },
    })
    const futureId = moved.body.data.id as string
    await staff(clinic, `/v1/appointments/${futureId}/documents`)
    const file = await upload(
      `${core.url}/v1/appointments/${futureId}/files`,
      clinic.admin,
      bodyOf(partOf(FILES.pdf, 'application/pdf', 'x.pdf')),
    )
    assert.equal(file.status, 201, JSON.stringify(file.body))
    const waiting = await staff(clinic, '/v1/appointments', {
      service_id: clinic.service.id,
      patient_id: record.id,
      status: 'waitlist',
    })
    const neighbour = await staff(clinic, '/v1/appointments', { service_id: clinic.service.id, status: 'waitlist' })
    const feed = await created(core.post('/v1/me/calendar-feed', { ...own, body: {} }))
    const booking = await visitorBooks(clinic, 10, person.email.toUpperCase())
    await until(async () => (await count('appointment_reminders where appointment_id = $1', [futureId])) === 2)
    const typed = `${randomUUID()}@mail.example`
    await query('update patients set email = $2 where id = $1', [record.id, typed])
    const somebodyElses = await visitorBooks(clinic, 12, typed)
    const held = await publicHold(clinic, 13)

    const request = await erase(clinic, record.id)

    assert.equal(await count('appointments where id = any ($1)', [[futureId, future.id, waiting.id, booking]]), 0)
    assert.equal(await count('time_claims where appointment_id = any ($1)', [[futureId, booking]]), 0)
    assert.equal(await count('appointment_reminders where patient_profile_id = $1', [record.profile_id]), 0)
    assert.equal(await count('calendar_feeds where patient_profile_id = $1', [record.profile_id]), 0)
    assert.equal(await count('appointment_files where appointment_id = $1', [futureId]), 0)
    assert.equal((await fetch(core.url + new URL(feed.url).pathname)).status, 404)
    assert.deepEqual(await rowOf(past.id), { status: 'completed', booker: null, notes: null })
    assert.equal(await count(`appointments where id = $1 and custom_fields = '{}'`, [past.id]), 1)
    assert.equal(await count('appointment_documents where appointment_id = $1', [past.id]), 1)
    assert.equal(
      await count(`appointment_reviews where appointment_id = $1 and rating = 5 and comment is null`, [past.id]),
      1,
    )
    // An e-mail address that staff entered is not verified: the booking may be somebody else's.
    assert.equal((await rowOf(somebodyElses))?.status, 'confirmed')
    assert.equal(await count(`holds where id = $1 and status = 'active'`, [held.id]), 1)
    assert.equal(await count('appointments where id = $1 and slot_freed_at is not null', [neighbour.id]), 1)
    assert.equal(
      await count(
        `outbox_events where type = 'appointment.cancelled' and payload ->> 'appointment_id' = any ($1)
        and payload ->> 'patient_id' is null`,
        [[futureId, booking]],
      ),
      2,
    )
    assert.equal(
      await count('mail_outbox where organization_id = $1 and lower(to_address) = lower($2)', [
        clinic.id,
        person.email,
      ]),
      0,
    )
    const classes = (request.certificate.classes as { name: string; rows: number }[]).filter(({ name }) =>
      ['appointments', 'unlinked_bookings', 'calendar_feeds'].includes(name),
    )
    assert.deepEqual(
      classes.map(({ name, rows }) => [name, rows]),
      [
        ['appointments', 4],
        ['unlinked_bookings', 1],
        ['calendar_feeds', 1],
      ],
    )
    await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(9)) }))
  })

  test('a past booking of the verified address loses its documents, files and texts', async () => {
    const { clinic, person, record } = await clinicAndPatient()
    const id = await visitorBooks(clinic, 10, person.email)
    await core.patch(`/v1/appointments/${id}`, { as: clinic.admin, body: { notes: 'Talks a lot' } })
    await takePlace(clinic, id)
    await staff(clinic, `/v1/appointments/${id}/documents`)
    const file = bodyOf(partOf(FILES.pdf, 'application/pdf', 'x.pdf'))
    assert.equal((await upload(`${core.url}/v1/appointments/${id}/files`, clinic.admin, file)).status, 201)
    await erase(clinic, record.id)
    assert.deepEqual(await rowOf(id), { status: 'completed', booker: null, notes: null })
    assert.equal(await count('appointment_documents where appointment_id = $1', [id]), 0)
    assert.equal(await count('appointment_files where appointment_id = $1', [id]), 0)
  })

  test('bookings of the account stay while it has another record at the clinic', async () => {
    const { clinic, person, record } = await clinicAndPatient()
    const child = await core.patient(clinic, person)
    const booking = await visitorBooks(clinic, 10, person.email)
    await erase(clinic, child.id)
    assert.equal((await rowOf(booking))?.status, 'confirmed')
    await erase(clinic, record.id)
    assert.equal(await rowOf(booking), undefined)
  })

  test('until then an export has the bookings of the verified address at this clinic, without what the booker typed', async () => {
    const { clinic, person, record } = await clinicAndPatient()
    const elsewhere = await schedulingClinic(core)
    await core.publishNotice(elsewhere)
    const typed = `${randomUUID()}@mail.example`
    await query('update patients set email = $2 where id = $1', [record.id, typed])
    const booking = await visitorBooks(clinic, 10, person.email.toUpperCase())
    await visitorBooks(clinic, 12, typed)
    await visitorBooks(elsewhere, 10, person.email)
    const { download_url } = await core.ended(clinic, await core.ask('export', clinic, record.id))
    const { pathname, search } = new URL(download_url)
    const files = unzip(Buffer.from(await (await fetch(core.url + pathname + search)).arrayBuffer()))
    const lines = String(files.get('unlinked_bookings.ndjson')).trim().split('\n')
    const [row, ...others] = lines.map((line) => JSON.parse(line))
    assert.deepEqual(others, [])
    const columns = ['created_at', 'ends_at', 'id', 'mode', 'starts_at', 'status', 'time_zone']
    assert.deepEqual([row.id, Object.keys(row).sort()], [booking, columns])
  })

  test('bookings at another clinic stay, although the person is a patient there too', async () => {
    const { clinic, person, record } = await clinicAndPatient()
    const elsewhere = await schedulingClinic(core)
    await core.publishNotice(elsewhere)
    await core.patient(elsewhere, person)
    const booking = await visitorBooks(clinic, 10, person.email)
    const other = await visitorBooks(elsewhere, 10, person.email)
    const mails = () =>
      count('mail_outbox where organization_id = $1 and to_address = $2', [elsewhere.id, person.email])
    const before = await mails()
    await erase(clinic, record.id)
    assert.equal(await rowOf(booking), undefined)
    assert.equal((await rowOf(other))?.status, 'confirmed')
    assert.equal(await count('booking_links where appointment_id = $1', [other]), 1)
    assert.equal(await mails(), before)
  })

  test('an appointment that a signed form names stays, cancelled; forms that are not signed lose it', async () => {
    const { clinic, record } = await clinicAndPatient()
    const { id } = await book(clinic, 10, { patient_id: record.id, notes: 'x' })
    const second = await book(clinic, 12, { patient_id: record.id })
    const [template] = await query<{ id: string }>(
      `with made as (insert into form_templates (organization_id, title, type, fields) values ($1, 'Intake', 'intake', '[]')
         returning organization_id, id)
       insert into form_template_versions (organization_id, form_template_id, version, title, type, fields,
           translations, consent_purposes)
         select organization_id, id, 1, 'Intake', 'intake', '[]', '{}', '{}' from made returning form_template_id as id`,
      [clinic.id],
    )
    const form = async (appointmentId: string, signed: boolean) =>
      (
        await query<{ id: string }>(
          `insert into forms (organization_id, form_template_id, template_version, patient_profile_id, appointment_id, title, type, fields,
             status, completed_at, signed_at, signed_by_principal_id, seal)
           values ($1, $2, 1, $3, $4, 'Intake', 'intake', '[]', ${signed ? "'signed', now(), now(), gen_random_uuid(), '\\x01'" : "'pending', null, null, null, null"})
           returning id`,
          [clinic.id, template?.id, record.profile_id, appointmentId],
        )
      )[0]?.id
    const signed = await form(id, true)
    await form(second.id, false)
    await query('update patients set restricted_at = now() where id = $1', [record.id])
    await erase(clinic, record.id)
    assert.deepEqual(await rowOf(id), { status: 'cancelled', booker: null, notes: null })
    assert.equal(await rowOf(second.id), undefined)
    assert.equal(await count('forms where id = $1 and appointment_id = $2', [signed, id]), 1)
  })

  test('erasing the account erases its bookings without an account at the clinics of the person', async () => {
    const { clinic, person } = await clinicAndPatient()
    const elsewhere = await schedulingClinic(core)
    await core.publishNotice(elsewhere)
    const booking = await visitorBooks(clinic, 10, person.email)
    const other = await visitorBooks(elsewhere, 10, person.email)
    const somebodyElses = await visitorBooks(clinic, 12, `${randomUUID()}@mail.example`)
    const answer = await core.post('/v1/me/erase', { as: person, body: { confirm: 'ERASE' } })
    assert.equal(answer.status, 200, answer.text)
    await until(async () => (await rowOf(booking)) === undefined)
    assert.equal(await count('time_claims where appointment_id = $1', [booking]), 0)
    const cancelled = `outbox_events where type = 'appointment.cancelled' and payload ->> 'appointment_id' = $1`
    assert.equal(await count(cancelled, [booking]), 1)
    assert.equal((await rowOf(other))?.status, 'confirmed')
    assert.equal((await rowOf(somebodyElses))?.status, 'confirmed')
  })

  test('erasing an account with an unverified address erases no bookings with this address', async () => {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const person = await core.signIn({ email: `${randomUUID()}@mail.example`, email_verified: false })
    const record = await core.patient(clinic, person)
    const booking = await visitorBooks(clinic, 10, person.email)
    assert.equal((await core.post('/v1/me/erase', { as: person, body: { confirm: 'ERASE' } })).status, 200)
    const erased = 'patients where id = $1 and erased_at is not null'
    await until(async () => (await count(erased, [record.id])) === 1)
    assert.equal((await rowOf(booking))?.status, 'confirmed')
  })
})
