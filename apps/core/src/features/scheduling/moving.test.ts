import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bodyOf, FILES, partOf, upload } from '../../platform/uploads.testing.ts'
import { type Answer, sharedCore, type TestCore } from '../../testing/core.ts'
import { formTools, SMOKER } from '../records/forms/forms.testing.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from './clinic.testing.ts'

describe('moving a visit', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.error?.code]
  const hold = (clinic: SchedulingClinic, hour: number) =>
    created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(hour)) }))
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
  const move = (clinic: SchedulingClinic, id: string, body: object) =>
    core.post(`/v1/appointments/${id}/reschedule`, { as: clinic.admin, body })
  async function withPatient(clinic: SchedulingClinic) {
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    return { record, as: { as: person, headers: { 'x-organization-id': clinic.id } } }
  }

  test('a patient’s move of a service that requires confirmation waits for the clinic again', async () => {
    const clinic = await schedulingClinic(core, { requires_confirmation: true })
    const { record, as } = await withPatient(clinic)
    const visit = await book(clinic, { patient_id: record.id })
    assert.equal(visit.status, 'confirmed')
    const body = { hold_id: (await hold(clinic, 12)).id }
    const moved = await core.post(`/v1/me/appointments/${visit.id}/reschedule`, { ...as, body })
    assert.deepEqual([moved.status, moved.body.data.status], [200, 'pending'])
    const seen = await core.get(`/v1/appointments/${moved.body.data.id}`, { as: clinic.admin })
    assert.equal(seen.body.data.confirmed_at, null)
    const byStaff = await move(clinic, moved.body.data.id, { starts_at: nextMonday(13).toISOString() })
    assert.equal(byStaff.body.data.status, 'pending', 'staff keep the status')
  })

  test('a patient’s move of a service without confirmation stays confirmed', async () => {
    const clinic = await schedulingClinic(core)
    const { record, as } = await withPatient(clinic)
    const visit = await book(clinic, { patient_id: record.id })
    const body = { hold_id: (await hold(clinic, 12)).id }
    const moved = await core.post(`/v1/me/appointments/${visit.id}/reschedule`, { ...as, body })
    assert.deepEqual([moved.status, moved.body.data.status], [200, 'confirmed'])
  })

  test('a booker’s move of a service that requires confirmation waits for the clinic again', async () => {
    const clinic = await schedulingClinic(core, { requires_confirmation: true })
    await core.publishNotice(clinic)
    const booker = { name: 'Maria', email: 'maria@mail.example' }
    const { manage_url } = await created(
      core.post('/v1/public/bookings', { body: { hold_id: (await hold(clinic, 10)).id, booker } }),
    )
    const [row] = (await core.get('/v1/appointments', { as: clinic.admin })).body.data
    const confirmed = await core.put(`/v1/appointments/${row.id}/status`, {
      as: clinic.admin,
      body: { status: 'confirmed' },
    })
    assert.equal(confirmed.status, 200, confirmed.text)
    const moved = await core.post(`/v1/public/bookings/${manage_url.split('/').at(-1)}/reschedule`, {
      body: { hold_id: (await hold(clinic, 12)).id },
    })
    assert.deepEqual([moved.status, moved.body.data.status], [200, 'pending'])
  })

  test('files and forms follow a visit that staff or the patient move', async () => {
    const clinic = await schedulingClinic(core)
    const { record, as } = await withPatient(clinic)
    const tools = formTools(core)
    const visit = await book(clinic, { patient_id: record.id })
    const file = await upload(
      `${core.url}/v1/appointments/${visit.id}/files`,
      clinic.admin,
      bodyOf(partOf(FILES.pdf, 'application/pdf', 'Bilet.pdf')),
    )
    assert.equal(file.status, 201)
    const form = { form_template_id: await tools.template(clinic, [SMOKER]), patient_profile_id: record.profile_id }
    const { data } = await tools.ok(tools.create(clinic, { ...form, appointment_id: visit.id }), 201)
    const belongings = async (id: string) => [
      (await core.get(`/v1/appointments/${id}/files`, { as: clinic.admin })).body.data.map(
        (one: { id: string }) => one.id,
      ),
      (await core.get(`/v1/forms?appointment_id=${id}`, { as: clinic.admin })).body.data.map(
        (one: { id: string }) => one.id,
      ),
    ]
    const all = [[file.body.data.id], [data.id]]
    assert.deepEqual(await belongings(visit.id), all)
    const byStaff = await move(clinic, visit.id, { starts_at: nextMonday(12).toISOString() })
    assert.deepEqual(await belongings(byStaff.body.data.id), all)
    assert.deepEqual(await belongings(visit.id), [[], []])
    const body = { hold_id: (await hold(clinic, 13)).id }
    const byPatient = await core.post(`/v1/me/appointments/${byStaff.body.data.id}/reschedule`, { ...as, body })
    assert.equal(byPatient.status, 200, byPatient.text)
    assert.deepEqual(await belongings(byPatient.body.data.id), all)
  })

  test('the forms of a moved visit include those that were signed before the move', async () => {
    const clinic = await schedulingClinic(core)
    const { record } = await withPatient(clinic)
    const tools = formTools(core)
    const visit = await book(clinic, { patient_id: record.id })
    const form = { form_template_id: await tools.template(clinic, [SMOKER]), patient_profile_id: record.profile_id }
    const { data } = await tools.ok(tools.create(clinic, { ...form, appointment_id: visit.id }), 201)
    await core.database.query(
      `update forms set status = 'signed', completed_at = now(), signed_at = now(), signed_by_principal_id = $2, seal = '\\x00'
       where id = $1`,
      [data.id, clinic.admin.id],
    )
    const moved = await move(clinic, visit.id, { starts_at: nextMonday(12).toISOString() })
    assert.equal(moved.status, 200, moved.text)
    const listed = await core.get(`/v1/forms?appointment_id=${moved.body.data.id}`, { as: clinic.admin })
    assert.deepEqual(
      listed.body.data.map((one: { id: string; appointment_id: string }) => [one.id, one.appointment_id]),
      [[data.id, visit.id]],
    )
  })

  test('staff move into the past only with allow_past (422 starts_in_past)', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await book(clinic)
    const starts_at = new Date(nextMonday().getTime() - 28 * 86_400_000).toISOString()
    assert.deepEqual(codeOf(await move(clinic, id, { starts_at })), [422, 'starts_in_past'])
    assert.deepEqual(codeOf(await move(clinic, id, { starts_at, allow_past: false })), [422, 'starts_in_past'])
    const moved = await move(clinic, id, { starts_at, allow_past: true })
    assert.deepEqual([moved.status, moved.body.data.starts_at], [200, starts_at])
  })

  test('a move without a hold and without a time names the field (422)', async () => {
    const clinic = await schedulingClinic(core)
    const refused = await move(clinic, (await book(clinic)).id, {})
    assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['starts_at']])
  })

  test('a visit that moves to another place leaves its calendar, and a place that was deleted', async () => {
    const clinic = await schedulingClinic(core)
    const places = `/v1/organizations/${clinic.id}/locations`
    const place = async (name: string) => (await created(core.post(places, { as: clinic.admin, body: { name } }))).id
    const [centre, north] = [await place('Centre'), await place('North')]
    await core.database.query('update calendars set location_id = $1 where organization_id = $2', [centre, clinic.id])
    const held = await hold(clinic, 10)
    const visit = await created(core.post('/v1/appointments', { as: clinic.admin, body: { hold_id: held.id } }))
    assert.equal(visit.location_id, centre)
    assert.notEqual(visit.calendar_id, null)
    const placeOf = ({ body }: Answer) => [body.data.location_id, body.data.calendar_id]
    const here = { location_id: centre.toUpperCase() }
    const same = await move(clinic, visit.id, { starts_at: nextMonday(11).toISOString(), ...here })
    assert.deepEqual(placeOf(same), [centre, visit.calendar_id])
    const kept = await move(clinic, same.body.data.id, { starts_at: nextMonday(12).toISOString() })
    assert.deepEqual(placeOf(kept), [centre, visit.calendar_id])
    const moved = await move(clinic, kept.body.data.id, {
      starts_at: nextMonday(13).toISOString(),
      location_id: north,
    })
    assert.deepEqual(placeOf(moved), [north, null])
    assert.equal((await core.delete(`${places}/${north}`, { as: clinic.admin })).status, 204)
    const left = await move(clinic, moved.body.data.id, { starts_at: nextMonday(11).toISOString() })
    assert.deepEqual(placeOf(left), [null, null])
  })
})
