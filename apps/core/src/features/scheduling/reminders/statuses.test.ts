import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { unzip } from '../../../platform/zip.testing.ts'
import { jobTools } from '../../connections/job.testing.ts'
import { addressIndex } from '../../connections/mails/sending.ts'
import { gdprJobs } from '../../privacy/gdpr/jobs.ts'
import { nextMonday, type SchedulingClinic } from '../clinic.testing.ts'
import { reminderDataClasses } from './data-classes.ts'
import { startReminders } from './reminders.testing.ts'

describe('what became of a reminder', () => {
  let core: Awaited<ReturnType<typeof startReminders>>
  before(async () => {
    core = await startReminders()
  })
  after(() => core.close())

  /** Status and reason of each, as staff read them; the earliest first. */
  async function statesOf(clinic: SchedulingClinic, id: string): Promise<[string, string | null][]> {
    const { status, body, text } = await core.get(`/v1/appointments/${id}/reminders`, { as: clinic.admin })
    assert.equal(status, 200, text)
    return body.data.map((one: { status: string; reason: string | null }) => [one.status, one.reason])
  }
  async function bookedWithReminders(values: object = {}) {
    const made = await core.clinicWithPatient()
    const { id } = await core.book(made.clinic, { patient_id: made.record.id, ...values })
    await core.deliver()
    const [first] = await core.planned(id)
    return { ...made, id: id as string, sendFirst: () => core.send(made.clinic, first?.id ?? '') }
  }
  const PLANNED = ['planned', null]

  test('it is planned, queued with its mail, and sent once a mail server has accepted the mail', async () => {
    const { clinic, person, id, sendFirst } = await bookedWithReminders()
    assert.deepEqual(await statesOf(clinic, id), [PLANNED, PLANNED])
    await sendFirst()
    assert.deepEqual(await statesOf(clinic, id), [['queued', null], PLANNED])
    core.smtp.onMail = () => {
      throw Object.assign(new Error('try later'), { responseCode: 451 })
    }
    await core.deliver()
    assert.deepEqual(await statesOf(clinic, id), [['queued', null], PLANNED])
    core.smtp.onMail = () => {}
    core.clock.now = new Date(Date.now() + 120_000)
    await core.database.query(`update mail_outbox set next_attempt_at = now() where status = 'queued'`)
    await core.deliver()
    assert.deepEqual(await statesOf(clinic, id), [['sent', null], PLANNED])
    assert.equal(core.mailsTo(person.email).filter(({ subject }) => subject?.startsWith('Reminder')).length, 1)
  })

  test('without an address it is skipped, and no mail is written', async () => {
    const { clinic } = await core.clinicWithPatient()
    const record = await core.patient(clinic)
    await core.database.query('update patients set email = null where id = $1', [record.id])
    const { id } = await core.book(clinic, { patient_id: record.id })
    await core.deliver()
    const [first] = await core.planned(id)
    await core.send(clinic, first?.id ?? '')
    await core.deliver()
    assert.deepEqual(await statesOf(clinic, id), [['skipped', 'no_address'], PLANNED])
    const mails = await core.database.query('select 1 from mail_outbox where appointment_reminder_id = $1', [first?.id])
    assert.equal(mails.length, 0)
  })

  test('to an address that bounced it is skipped as suppressed', async () => {
    const { clinic, person, id, sendFirst } = await bookedWithReminders()
    const index = addressIndex(core.config, person.email)
    await core.database.query(`insert into mail_suppressions (address_index, reason) values ($1, 'bounce')`, [index])
    await sendFirst()
    await core.deliver()
    assert.deepEqual(await statesOf(clinic, id), [['skipped', 'suppressed'], PLANNED])
  })

  test('while processing is restricted it is skipped', async () => {
    const { clinic, record, id, sendFirst } = await bookedWithReminders()
    await core.database.query('update patients set restricted_at = now() where id = $1', [record.id])
    await sendFirst()
    await core.deliver()
    assert.deepEqual(await statesOf(clinic, id), [['skipped', 'processing_restricted'], PLANNED])
  })

  test('a reminder of a deleted patient is skipped', async () => {
    const { clinic, record, id, sendFirst } = await bookedWithReminders()
    await core.database.query('update patients set deleted_at = now() where id = $1', [record.id])
    await sendFirst()
    assert.deepEqual(await statesOf(clinic, id), [['skipped', 'patient_deleted'], PLANNED])
  })

  test('after the start of the visit it is skipped: the worker was down', async () => {
    const { clinic, id, sendFirst } = await bookedWithReminders()
    core.clock.now = nextMonday()
    await sendFirst()
    core.clock.now = new Date()
    assert.deepEqual(await statesOf(clinic, id), [['skipped', 'visit_started'], PLANNED])
  })

  test('when its mail is refused for good it is skipped; sending the mail again makes it sent', async () => {
    const { clinic, id, sendFirst } = await bookedWithReminders()
    await sendFirst()
    core.smtp.onMail = () => {
      throw Object.assign(new Error('no'), { responseCode: 554 })
    }
    await core.deliver()
    core.smtp.onMail = () => {}
    assert.deepEqual(await statesOf(clinic, id), [['skipped', 'mail_failed'], PLANNED])
    const path = `/v1/organizations/${clinic.id}/mails`
    const { body } = await core.get(`${path}?template=appointment_reminder`, { as: clinic.admin })
    assert.equal((await core.post(`${path}/${body.data[0].id}/resend`, { as: clinic.admin })).status, 200)
    assert.deepEqual(await statesOf(clinic, id), [['sent', null], PLANNED])
  })

  test('a cancelled or moved visit skips those that are planned at once', async () => {
    const cancelled = await bookedWithReminders()
    await core.setStatus(cancelled.clinic, cancelled.id, 'cancelled')
    await core.dispatch()
    const reason = ['skipped', 'visit_cancelled']
    assert.deepEqual(await statesOf(cancelled.clinic, cancelled.id), [reason, reason])
    const moved = await bookedWithReminders()
    const after = (await core.move(moved.clinic, moved.id, nextMonday(12))).body.data
    await core.dispatch()
    assert.deepEqual(await statesOf(moved.clinic, moved.id), [
      ['skipped', 'visit_moved'],
      ['skipped', 'visit_moved'],
    ])
    assert.deepEqual(await statesOf(moved.clinic, after.id), [PLANNED, PLANNED])
  })

  test('an export states what was sent and why the rest was not', async () => {
    const { clinic, record, id, sendFirst } = await bookedWithReminders()
    await sendFirst()
    await core.deliver()
    await core.setStatus(clinic, id, 'cancelled')
    await core.deliver()
    const asked = await core.post('/v1/gdpr/export', {
      as: clinic.admin,
      body: { patient_id: record.id, reason: 'Asked for' },
    })
    const exporting = gdprJobs(reminderDataClasses).find(({ name }) => name === 'gdpr.export')
    await exporting?.run({ request_id: asked.body.data.id }, jobTools(core.worker, clinic.id))
    const request = await core.get(`/v1/gdpr/requests/${asked.body.data.id}`, { as: clinic.admin })
    const { pathname, search } = new URL(request.body.data.download_url)
    const zip = unzip(Buffer.from(await (await fetch(core.url + pathname + search)).arrayBuffer()))
    const lines = zip.get('appointment_reminders.ndjson')?.toString('utf8').trim().split('\n') ?? []
    const states = lines.map((line) => JSON.parse(line)).map(({ status, reason }) => `${status} ${reason}`)
    assert.deepEqual(new Set(states), new Set(['sent null', 'skipped visit_cancelled']))
    assert.equal(states.length, 2)
  })

  test('only staff of the clinic who see appointments read them', async () => {
    const { clinic, person, id } = await bookedWithReminders()
    const other = await core.organization()
    const path = `/v1/appointments/${id}/reminders`
    assert.equal((await core.get(path, { as: other.admin })).status, 404)
    assert.equal((await core.get(path, { as: await core.memberWith(clinic, []) })).status, 403)
    assert.equal((await core.get(path, { as: person, headers: { 'x-organization-id': clinic.id } })).status, 403)
  })
})
