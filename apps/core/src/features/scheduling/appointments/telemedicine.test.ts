import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createServices } from '../../../create-services.ts'
import { dispatchOutbox } from '../../../platform/outbox.ts'
import { startCore } from '../../../testing/core.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'
import { appointmentSubscribers } from './subscribers.ts'

describe('consent to telemedicine', () => {
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

  const dispatch = () =>
    dispatchOutbox(worker.db, appointmentSubscribers, {
      onFailure: (_event, error) => {
        throw error
      },
    })
  async function videoClinic() {
    const clinic = await schedulingClinic(core, { modes: ['video', 'in_person'] })
    await core.publishNotice(clinic)
    await core.database.query(`update organizations set contact_email = 'desk@clinic.example' where id = $1`, [
      clinic.id,
    ])
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    return { clinic, person, record, headers: { 'x-organization-id': clinic.id } }
  }
  const book = (clinic: SchedulingClinic, values: object) =>
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
  const grant = (record: { organization_id: string; profile_id: string }) =>
    core.database.query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
       values ($1, $2, 'telemedicine', (current_purpose_version('telemedicine', $1)).version, 'signup_checkbox')`,
      [record.organization_id, record.profile_id],
    )
  const withdraw = (record: { profile_id: string }) =>
    core.database.query(
      `update consents set withdrawn_at = now(), ended_as = 'withdrawn'
       where patient_profile_id = $1 and purpose_code = 'telemedicine' and withdrawn_at is null`,
      [record.profile_id],
    )
  const missingOf = async (clinic: SchedulingClinic, id: string) =>
    (await core.get(`/v1/appointments/${id}`, { as: clinic.admin })).body.data.missing_consents

  test('consent to telemedicine is shown as missing when an appointment becomes a video appointment, until it changes back', async () => {
    const { clinic, record } = await videoClinic()
    const { id, missing_consents } = await book(clinic, { patient_id: record.id })
    assert.deepEqual(missing_consents, [])
    const change = async (mode: string) =>
      (await core.patch(`/v1/appointments/${id}`, { as: clinic.admin, body: { mode } })).body.data.missing_consents
    assert.deepEqual(await change('video'), ['telemedicine'])
    assert.deepEqual(await change('phone'), [])
    await grant(record)
    assert.deepEqual(await change('video'), [])
  })

  test('consent to telemedicine is required for a hold when its mode is video', async () => {
    const { clinic, record } = await videoClinic()
    const fromHold = async (hour: number, mode: string) => {
      const { id } = await created(
        core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(hour), { mode }) }),
      )
      const body = { hold_id: id, patient_id: record.id }
      return created(core.post('/v1/appointments', { as: clinic.admin, body }))
    }
    assert.deepEqual((await fromHold(8, 'in_person')).missing_consents, [])
    assert.deepEqual((await fromHold(10, 'video')).missing_consents, ['telemedicine'])
  })

  test('consent to telemedicine is required when patients move their appointment to a video time (403)', async () => {
    const { clinic, person, record, headers } = await videoClinic()
    const { id } = await book(clinic, { patient_id: record.id })
    const held = await created(
      core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(12), { mode: 'video' }) }),
    )
    const move = () =>
      core.post(`/v1/me/appointments/${id}/reschedule`, { as: person, headers, body: { hold_id: held.id } })
    assert.equal((await move()).body.error.code, 'consent_required')
    await grant(record)
    assert.equal((await move()).status, 200)
  })

  test('a withdrawal marks future video appointments and sends the clinic a mail; nothing is cancelled', async () => {
    const { clinic, record } = await videoClinic()
    await grant(record)
    const video = await book(clinic, { patient_id: record.id, mode: 'video' })
    const inPerson = await book(clinic, { patient_id: record.id, starts_at: nextMonday(13).toISOString() })
    assert.deepEqual(video.missing_consents, [])
    await withdraw(record)
    await dispatch()
    assert.deepEqual(await missingOf(clinic, video.id), ['telemedicine'])
    assert.deepEqual(await missingOf(clinic, inPerson.id), [])
    const mails = await core.database.query<{ to_address: string; data: object }>(
      `select to_address, data from mail_outbox where template = 'telemedicine_withdrawn' and organization_id = $1`,
      [clinic.id],
    )
    assert.deepEqual(mails, [{ to_address: 'desk@clinic.example', data: { count: 1 } }])
    assert.equal((await core.get(`/v1/appointments/${video.id}`, { as: clinic.admin })).body.data.status, 'confirmed')
    await grant(record)
    await dispatch()
    assert.deepEqual(await missingOf(clinic, video.id), [])
  })
})
