import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Appointment } from '@tendon/contracts'
import { onServer, until } from '@tendon/testing'
import { type Answer, sharedCore, type TestCore } from '../../../testing/core.ts'
import { created, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'

const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]
const MINUTE_MS = 60_000

describe('details of appointments', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const post = (clinic: SchedulingClinic, path: string, body: object = {}) =>
    core.post(path, { as: clinic.admin, body })
  const book = (clinic: SchedulingClinic, values: object = {}) =>
    post(clinic, '/v1/appointments', {
      service_id: clinic.service.id,
      specialist_id: clinic.specialist.id,
      starts_at: nextMonday().toISOString(),
      ...values,
    })
  async function withPatient(clinic: SchedulingClinic) {
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    return { person, record, headers: { 'x-organization-id': clinic.id } }
  }
  const grant = (record: { organization_id: string; profile_id: string }) =>
    core.database.query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
       values ($1, $2, 'telemedicine', (current_purpose_version('telemedicine', $1)).version, 'signup_checkbox')`,
      [record.organization_id, record.profile_id],
    )

  test('include=documents lists the documents of an appointment, for those who may see documents', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await created(book(clinic))
    await created(book(clinic, { starts_at: nextMonday(12).toISOString() }))
    const letter = await created(post(clinic, `/v1/appointments/${id}/documents`))
    const listed = async (as = clinic.admin) => {
      const { body } = await core.get('/v1/appointments?include=documents,service&sort=starts_at', { as })
      return body.data.map((one: { documents: object[] }) => one.documents)
    }
    const { kind, language, pages, size, created_at } = letter
    assert.deepEqual(await listed(), [[{ id: letter.id, kind, language, pages, size, created_at }], []])
    assert.deepEqual((await core.get(`/v1/appointments/${id}`, { as: clinic.admin })).body.data.documents.length, 1)
    const withoutDocuments = await core.memberWith(clinic, ['appointments.view_org'])
    assert.deepEqual(
      await listed(withoutDocuments),
      [undefined, undefined],
      'an empty list would say that there are none',
    )
    const one = await core.get(`/v1/appointments/${id}`, { as: withoutDocuments })
    assert.deepEqual([one.status, 'documents' in one.body.data], [200, false])
  })

  test('include=specialist,service adds both to each row, also deleted ones, and for callers who may see neither', async () => {
    const clinic = await schedulingClinic(core)
    await created(book(clinic))
    await created(book(clinic, { starts_at: nextMonday(12).toISOString() }))
    for (const table of ['specialists', 'services'])
      await core.database.query(`update ${table} set deleted_at = now() where organization_id = $1`, [clinic.id])
    const as = await core.memberWith(clinic, ['appointments.view_org'])
    const { body } = await core.get('/v1/appointments?include=specialist,service&sort=starts_at', { as })
    const named = body.data.map(({ specialist, service }: Appointment) => [specialist?.id, service?.id, service?.name])
    const names = [clinic.specialist.id, clinic.service.id, 'Session']
    assert.deepEqual(named, [names, names])
    const { body: plain } = await core.get('/v1/appointments?include=service', { as })
    assert.deepEqual(['specialist' in plain.data[0], 'service' in plain.data[0]], [false, true])
    const { body: none } = await core.get('/v1/appointments?include=specialist&status=waitlist', { as })
    assert.deepEqual(none.data, [])
  })

  test('custom fields of appointments are validated, kept by moves, and deleted with their field', async () => {
    const clinic = await schedulingClinic(core)
    const field = (body: object) =>
      core.post('/v1/custom-fields', { as: clinic.admin, body: { entity_type: 'appointment', ...body } })
    const room = await field({ key: 'room', label: 'Room', field_type: 'text' })
    assert.equal(room.status, 201, room.text)
    await field({ key: 'side', label: 'Side', field_type: 'select', options: ['Left', 'Right'] })
    const wrong = await book(clinic, { custom_fields: { room: 'A', side: 'Up', other: 1 } })
    assert.deepEqual(codeOf(wrong), [422, 'validation_failed'])
    assert.deepEqual(Object.keys(wrong.body.error.fields), ['custom_fields.side', 'custom_fields.other'])
    const booked = await created(book(clinic, { custom_fields: { room: 'A', side: 'Left' } }))
    assert.deepEqual(booked.custom_fields, { room: 'A', side: 'Left' })
    const usage = await core.get(`/v1/custom-fields/${room.body.data.id}/usage`, { as: clinic.admin })
    assert.deepEqual(usage.body.data.uses, [{ kind: 'appointments', consequence: 'deleted', count: 1, items: [] }])
    const changed = await core.patch(`/v1/appointments/${booked.id}`, {
      as: clinic.admin,
      body: { custom_fields: { side: null } },
    })
    assert.deepEqual(changed.body.data.custom_fields, { room: 'A' })
    const body = { starts_at: nextMonday(12).toISOString() }
    const moved = await core.post(`/v1/appointments/${booked.id}/reschedule`, { as: clinic.admin, body })
    assert.deepEqual(moved.body.data.custom_fields, { room: 'A' })
    const id = room.body.field?.id ?? room.body.data?.id
    assert.equal((await core.delete(`/v1/custom-fields/${id}`, { as: clinic.admin })).status, 204)
    const after = await core.get(`/v1/appointments/${moved.body.data.id}`, { as: clinic.admin })
    assert.deepEqual(after.body.data.custom_fields, {})
    const [left] = await core.database.query(
      'select 1 from appointments where organization_id = $1 and custom_fields ? $2',
      [clinic.id, id],
    )
    assert.equal(left, undefined)
  })

  test('no value of a custom field is left when the field is deleted while an appointment is written', async () => {
    const clinic = await schedulingClinic(core)
    const body = { entity_type: 'appointment', key: 'room', label: 'Room', field_type: 'text' }
    const { id } = await created(core.post('/v1/custom-fields', { as: clinic.admin, body }))
    const other = await created(book(clinic, { starts_at: nextMonday(14).toISOString() }))
    const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and (query like '%into "appointments"%' or query like '%from "custom_fields"%for update%')`
    const waiting = async (count: number) => (await core.database.query(WAITING)).length === count
    const [booked, deleted] = await onServer(new URL(core.database.url).pathname.slice(1), async (holder) => {
      await holder.query('begin')
      await holder.query('select 1 from services where id = $1 for update', [clinic.service.id])
      const booking = book(clinic, { custom_fields: { room: 'A' } })
      await until(() => waiting(1))
      const deletion = core.delete(`/v1/custom-fields/${id}`, { as: clinic.admin })
      await Promise.race([until(() => waiting(2)), deletion])
      await holder.query('commit')
      return Promise.all([booking, deletion])
    })
    assert.deepEqual([booked.status, deleted.status], [201, 204])
    const left = () =>
      core.database.query('select 1 from appointments where organization_id = $1 and custom_fields ? $2', [
        clinic.id,
        id,
      ])
    assert.deepEqual(await left(), [])
    await core.database.query('update appointments set custom_fields = jsonb_build_object($2::text, 1) where id = $1', [
      other.id,
      id,
    ])
    assert.deepEqual(await left(), [])
  })

  test('join returns the link of the appointment, otherwise the specialist’s, around the start and with consent', async () => {
    const clinic = await schedulingClinic(core, { modes: ['video', 'in_person'] })
    const { person, record, headers } = await withPatient(clinic)
    const { id } = await created(book(clinic, { patient_id: record.id, mode: 'video' }))
    const join = async () => core.get(`/v1/me/appointments/${id}/join`, { as: person, headers })
    const startIn = (minutes: number) =>
      core.database.query(
        `update appointments set starts_at = now() + $2 * interval '1 minute', ends_at = now() + ($2 + 60) * interval '1 minute' where id = $1`,
        [id, minutes],
      )
    await startIn(14)
    assert.deepEqual(codeOf(await join()), [403, 'consent_required'])
    await grant(record)
    assert.deepEqual(codeOf(await join()), [404, 'no_meeting_link'])
    const specialist = (meeting_url: string | null) =>
      core.put(`/v1/specialists/${clinic.specialist.id}`, { as: clinic.admin, body: { meeting_url } })
    assert.equal((await specialist('http://meet.example/x')).status, 422)
    assert.equal((await specialist('https://meet.example/ana')).body.data.meeting_url, 'https://meet.example/ana')
    assert.deepEqual((await join()).body.data, { url: 'https://meet.example/ana' })
    await core.patch(`/v1/appointments/${id}`, { as: clinic.admin, body: { meeting_url: 'https://meet.example/own' } })
    assert.deepEqual((await join()).body.data, { url: 'https://meet.example/own' })
    for (const minutes of [16, -61]) {
      await startIn(minutes)
      assert.deepEqual(codeOf(await join()), [409, 'too_early'], String(minutes * MINUTE_MS))
    }
  })

  test('a patient of two clinics can open an appointment only in the context of its clinic', async () => {
    const [clinic, other] = [await schedulingClinic(core, { modes: ['video'] }), await schedulingClinic(core)]
    const { person, record, headers } = await withPatient(clinic)
    await core.publishNotice(other)
    const elsewhere = await core.patient(other, person)
    await core.acceptAll(elsewhere)
    await grant(elsewhere)
    const { id } = await created(
      book(clinic, { patient_id: record.id, mode: 'video', meeting_url: 'https://meet.example/x' }),
    )
    const foreign = { 'x-organization-id': other.id }
    for (const [method, path] of [
      ['get', 'join'],
      ['post', 'cancel'],
    ] as const) {
      const answer = await core[method](`/v1/me/appointments/${id}/${path}`, {
        as: person,
        headers: foreign,
        ...(method === 'post' ? { body: {} } : {}),
      })
      assert.deepEqual(codeOf(answer), [404, 'appointment_not_found'])
    }
    const own = await core.get(`/v1/me/appointments/${id}/join`, { as: person, headers })
    assert.deepEqual(codeOf(own), [403, 'consent_required'])
  })

  test('a version that no row can have is refused (422), also when nothing else is sent', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await created(book(clinic, {}))
    const body = { version: 3_000_000_000 }
    const refused = await core.patch(`/v1/appointments/${id}`, { as: clinic.admin, body })
    assert.deepEqual(
      [...codeOf(refused), Object.keys(refused.body.error.fields)],
      [422, 'validation_failed', ['version']],
    )
  })

  test('a linked appointment is not linked to another patient (409); a deleted specialist is not booked (422)', async () => {
    const clinic = await schedulingClinic(core)
    const [first, second] = [await core.patient(clinic), await core.patient(clinic)]
    const { id } = await created(book(clinic, { patient_id: first.id }))
    const link = (patient_id: string) => post(clinic, `/v1/appointments/${id}/link-patient`, { patient_id })
    assert.deepEqual(codeOf(await link(second.id)), [409, 'already_linked'])
    assert.equal((await link(first.id)).status, 200)
    await core.delete(`/v1/specialists/${clinic.specialist.id}`, { as: clinic.admin })
    const refused = await book(clinic, { starts_at: nextMonday(12).toISOString() })
    assert.deepEqual(
      [...codeOf(refused), Object.keys(refused.body.error.fields)[0]],
      [422, 'validation_failed', 'specialist_id'],
    )
  })
})
