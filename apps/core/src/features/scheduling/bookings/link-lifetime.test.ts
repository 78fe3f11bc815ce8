import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type CoreAndWorker, startCoreAndWorker } from '../../privacy/gdpr/work.testing.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'

describe('the link of a linked booking', () => {
  let core: CoreAndWorker
  let clinic: SchedulingClinic
  let stop: () => Promise<void>
  before(async () => {
    core = await startCoreAndWorker()
    clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await core.close()
  })

  async function book(hour: number, email: string) {
    const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(hour)) }))
    const body = { hold_id: held.id, booker: { name: 'Maria', email } }
    const { manage_url } = await created(core.post('/v1/public/bookings', { body }))
    const [row] = await core.database.query<{ id: string }>(
      `select id from appointments where organization_id = $1 and booker ->> 'email' = $2`,
      [clinic.id, email],
    )
    return { id: row?.id ?? '', path: `/v1/public/bookings/${String(manage_url).split('/').at(-1)}` }
  }
  async function linkTo(id: string, patient_id: string) {
    const linked = await core.post(`/v1/appointments/${id}/link-patient`, { as: clinic.admin, body: { patient_id } })
    assert.equal(linked.status, 200, linked.text)
  }
  const mailsTo = (email: string) =>
    core.database.query<{ patient_profile_id: string | null }>(
      'select patient_profile_id from mail_outbox where to_address = $1 order by id',
      [email],
    )
  async function erase(patientId: string) {
    const request = await core.ended(clinic, await core.ask('erase', clinic, patientId))
    assert.equal(request.status, 'completed', JSON.stringify(request))
  }

  test('the link of a linked booking ends with the erasure of the patient, and mails to another booker’s address are deleted too', async () => {
    const email = `${randomUUID()}@mail.example`
    const { id, path } = await book(9, email)
    const record = await core.patient(clinic, await core.signIn())
    assert.deepEqual(await mailsTo(email), [{ patient_profile_id: null }])
    await linkTo(id, record.id)
    assert.deepEqual(await mailsTo(email), [{ patient_profile_id: record.profile_id }])
    const moved = await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(11)) }))
    assert.equal((await core.post(`${path}/reschedule`, { body: { hold_id: moved.id } })).status, 200)
    assert.deepEqual(
      (await mailsTo(email)).map(({ patient_profile_id }) => patient_profile_id),
      [record.profile_id, record.profile_id],
    )
    // A mail of an older release, without the profile.
    await core.database.query('update mail_outbox set patient_profile_id = null where to_address = $1', [email])
    assert.equal((await core.get(path)).status, 200)
    await erase(record.id)
    assert.equal((await core.get(path)).status, 404)
    assert.deepEqual(await mailsTo(email), [])
  })

  test('the erasure also deletes mail to the verified address of the account', async () => {
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    await core.database.query('update patients set email = $2 where id = $1', [record.id, 'other@mail.example'])
    await core.database.query(
      `insert into mail_outbox (organization_id, to_address, template, kind, language, data)
       values ($1, $2, 'booking_updated', 'care', 'en', '{"status":"confirmed"}')`,
      [clinic.id, person.email],
    )
    await erase(record.id)
    assert.deepEqual(await mailsTo(person.email), [])
  })
})
