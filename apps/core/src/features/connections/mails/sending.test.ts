import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { createServices } from '../../../create-services.ts'
import { sendDueMails } from './loop.ts'
import { startCoreAndMail } from './mails.testing.ts'
import { addressIndex } from './sending.ts'

const MINUTE_MS = 60_000

describe('sending mail', () => {
  let core: Awaited<ReturnType<typeof startCoreAndMail>>
  before(async () => {
    core = await startCoreAndMail()
  })
  after(() => core.close())
  beforeEach(async () => {
    await core.database.query('delete from mail_outbox')
    core.smtp.mails.length = 0
    core.smtp.mood = 'accepts'
    core.clock.now = new Date()
  })

  const send = () => sendDueMails(core.worker)

  test('an invitation arrives in the language of the clinic, from its name, with a link to sign in', async () => {
    const clinic = await core.organization({
      name: 'Mlădița',
      language_code: 'ro',
      contact_email: 'front@mladita.example',
    })
    const invited = await core.post(`/v1/organizations/${clinic.id}/members`, {
      as: clinic.admin,
      body: { email: 'dana@mail.example', role_id: clinic.roles.specialist },
    })
    assert.equal(invited.status, 201, invited.text)
    core.clock.now = new Date()
    assert.deepEqual(await send(), { taken: 1, more: false })
    const [mail] = core.smtp.mails
    assert.ok(mail)
    assert.deepEqual(mail.from?.value, [{ name: 'Mlădița', address: 'mail@tendon.example' }])
    assert.equal(mail.replyTo?.text, 'front@mladita.example')
    assert.deepEqual(mail.envelopeTo, ['dana@mail.example'])
    assert.equal(mail.subject, 'Sunteți invitat(ă) la Mlădița')
    const page = `${core.config.publicUrl}/console/${clinic.slug}`
    assert.ok(mail.text?.includes(`${page}#email=dana%40mail.example&language=ro`), mail.text)
    const [row] = await core.database.query<{ id: string }>('select id from mail_outbox')
    assert.equal(mail.messageId, `<${row?.id}@tendon.example>`)
    const sent = await core.rowOf(row?.id ?? '')
    assert.deepEqual([sent?.status, sent?.provider, sent?.attempts], ['sent', 'smtp', 1])
    assert.deepEqual(await send(), { taken: 0, more: false })
  })

  test('a failed mail is tried again after 1, 5 and 30 minutes, 2 and 12 hours, then fails', async () => {
    const id = await core.queue({})
    core.smtp.mood = 'busy'
    for (const minutes of [1, 5, 30, 120, 720]) {
      assert.equal((await send()).taken, 1)
      const row = await core.rowOf(id)
      assert.deepEqual([row?.status, row?.last_error], ['queued', 'recipient_refused'])
      const due = core.clock.now.getTime() + minutes * MINUTE_MS
      assert.equal(new Date(row?.next_attempt_at ?? 0).getTime(), due)
      core.clock.now = new Date(due - 1)
      assert.equal((await send()).taken, 0)
      core.clock.now = new Date(due)
    }
    assert.equal((await send()).taken, 1)
    assert.deepEqual([(await core.rowOf(id))?.status, (await core.rowOf(id))?.attempts], ['failed', 6])
  })

  test('a recipient that the server refuses for good is not tried again', async () => {
    const id = await core.queue({})
    core.smtp.mood = 'refuses_recipient'
    await send()
    assert.deepEqual(
      [(await core.rowOf(id))?.status, (await core.rowOf(id))?.last_error],
      ['failed', 'recipient_refused'],
    )
  })

  test('a mail without template fails and delays no other', async () => {
    const [unknown, known] = [await core.queue({ template: 'of_tomorrow' }), await core.queue({})]
    await send()
    assert.deepEqual(
      [(await core.rowOf(unknown))?.last_error, (await core.rowOf(known))?.status],
      ['unknown_template', 'sent'],
    )
  })

  test('two workers share the work: no mail is sent twice', async () => {
    const other = createServices(core.config, 'tendon_worker', core.database.url)
    const ids = await Promise.all(Array.from({ length: 70 }, () => core.queue({})))
    const drain = async (services: typeof core.worker) => {
      let total = 0
      for (;;) {
        const { taken } = await sendDueMails(services)
        if (taken === 0) return total
        total += taken
      }
    }
    const both = [core.worker, { ...other, mailTemplates: core.worker.mailTemplates, now: core.worker.now }]
    // No mail ends before each worker has its first 20.
    const bothSend = until(async () => {
      const sending = await core.database.query(`select 1 from mail_outbox where status = 'sending'`)
      return sending.length === 40
    })
    core.smtp.onMail = async () => void (await bothSend)
    const taken = await Promise.all(both.map(drain))
    core.smtp.onMail = () => {}
    await other.close()
    assert.equal(
      taken.reduce((sum, count) => sum + count, 0),
      70,
    )
    assert.ok(taken.every((count) => count > 0))
    const received = core.smtp.mails.map(({ messageId }) => String(messageId).slice(1, 37)).sort()
    assert.deepEqual(received, ids.sort())
  })

  test('marketing is sent only with the consent at the time of sending', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const of = { organization_id: clinic.id, patient_profile_id: patient.profile_id }
    const marketing = { ...of, template: 'newsletter', kind: 'marketing' }
    const consent = `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
      values ($1, $2, 'marketing_email', 1, 'self_toggle')`
    const before = await core.queue(marketing)
    await send()
    assert.deepEqual(
      [(await core.rowOf(before))?.status, (await core.rowOf(before))?.last_error],
      ['suppressed', 'consent_missing'],
    )
    await core.database.query(consent, [clinic.id, patient.profile_id])
    const [during, withdrawn, care] = [
      await core.queue(marketing),
      await core.queue({ ...marketing, next_attempt_at: new Date(core.clock.now.getTime() + MINUTE_MS) }),
      await core.queue(of),
    ]
    await send()
    assert.equal((await core.rowOf(during))?.status, 'sent')
    assert.equal((await core.rowOf(care))?.status, 'sent')
    await core.database.query(
      `update consents set withdrawn_at = now(), ended_as = 'withdrawn' where purpose_code = 'marketing_email'`,
    )
    core.clock.now = new Date(core.clock.now.getTime() + MINUTE_MS)
    await send()
    assert.equal((await core.rowOf(withdrawn))?.last_error, 'consent_missing')
    assert.equal(core.smtp.mails.length, 2)
    const text = core.smtp.mails.find(({ subject }) => subject === 'News of the clinic')?.raw.toString()
    assert.match(text ?? '', /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  })

  test('a restricted patient gets mails about the account and no others', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    await core.database.query('update patients set restricted_at = now() where id = $1', [patient.id])
    const of = { organization_id: clinic.id, patient_profile_id: patient.profile_id }
    const [care, account] = [await core.queue(of), await core.queue({ ...of, kind: 'account' })]
    await send()
    assert.equal((await core.rowOf(care))?.last_error, 'processing_restricted')
    assert.equal((await core.rowOf(account))?.status, 'sent')
  })

  test('an e-mail address that bounced gets no mail, in any spelling', async () => {
    const name = randomUUID()
    await core.database.query(`insert into mail_suppressions (address_index, reason) values ($1, 'bounce')`, [
      addressIndex(core.config, `${name}@mail.example`),
    ])
    const id = await core.queue({ to_address: `${name.toUpperCase()}@Mail.Example` })
    await send()
    assert.deepEqual([(await core.rowOf(id))?.status, (await core.rowOf(id))?.last_error], ['suppressed', 'bounce'])
    assert.equal(core.smtp.mails.length, 0)
  })

  test('a mail whose worker died is sent by the next when the lease has ended', async () => {
    const id = await core.queue({
      status: 'sending',
      attempts: 1,
      locked_until: new Date(core.clock.now.getTime() + 1_000),
    })
    assert.equal((await send()).taken, 0)
    core.clock.now = new Date(core.clock.now.getTime() + 1_000)
    assert.equal((await send()).taken, 1)
    assert.deepEqual([(await core.rowOf(id))?.status, (await core.rowOf(id))?.attempts], ['sent', 2])
  })

  test('a second mail with the same key is not written', async () => {
    const clinic = await core.organization()
    const insert = `insert into mail_outbox (organization_id, to_address, template, language, data, dedupe_key)
      values ($1, 'a@mail.example', 'visit_reminder', 'en', '{}', 'visit-1') on conflict do nothing returning id`
    assert.equal((await core.database.query(insert, [clinic.id])).length, 1)
    assert.equal((await core.database.query(insert, [clinic.id])).length, 0)
    assert.equal((await core.database.query(insert, [(await core.organization()).id])).length, 1)
  })
})
