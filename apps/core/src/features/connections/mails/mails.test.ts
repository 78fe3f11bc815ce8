import assert from 'node:assert/strict'
import { createSign, randomUUID } from 'node:crypto'
import { createServer } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { createOutbound } from '@tendon/outbound'
import { portOf, startDnsServer, testCertificate } from '@tendon/testing'
import { type Answer, sharedCore } from '../../../testing/core.ts'
import { sendDueMails } from './loop.ts'
import { startCoreAndMail } from './mails.testing.ts'
import { claimMail, RESENDS } from './queries.ts'
import { addressIndex } from './sending.ts'
import { unsubscribeUrl } from './unsubscribe-token.ts'

const path = (clinic: { id: string }, rest = '') => `/v1/organizations/${clinic.id}/mails${rest}`

describe('mails of a clinic', () => {
  let core: Awaited<ReturnType<typeof startCoreAndMail>>
  before(async () => {
    core = await startCoreAndMail()
  })
  after(() => core.close())

  const invitation = (clinic: { id: string }, values: Record<string, unknown> = {}) =>
    core.queue({
      organization_id: clinic.id,
      template: 'member_invited',
      kind: 'account',
      to_address: 'canary.name@mail.example',
      data: JSON.stringify({ organization_name: 'Test', role_name: 'Admin', inviter_name: 'Ana' }),
      ...values,
    })

  const stateOf = async (id: string) => {
    const row = await core.rowOf(id)
    return [row?.status, row?.attempts]
  }

  test('the list shows status, template and a masked address, never the content', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const id = await invitation(clinic, { status: 'failed', last_error: 'timeout', attempts: 6 })
    await invitation(other)
    const { body, text } = await core.get(path(clinic, '?status=failed'), { as: clinic.admin })
    assert.deepEqual(
      body.data.map((mail: Record<string, unknown>) => [mail.id, mail.status, mail.to_masked, mail.last_error]),
      [[id, 'failed', 'c…@mail.example', 'timeout']],
    )
    assert.ok(!text.includes('canary') && !text.includes('inviter'))
    assert.equal((await core.get(path(clinic, '?status=sent'), { as: clinic.admin })).body.pagination.total, 0)
    assert.equal((await core.get(path(other), { as: clinic.admin })).status, 403)
    assert.equal((await core.get(path(clinic), { as: await core.memberWith(clinic, []) })).status, 403)
  })

  test('a failed mail can be sent again at once, by those who may', async () => {
    const clinic = await core.organization()
    const id = await invitation(clinic, { status: 'failed', attempts: 6 })
    const viewer = await core.memberWith(clinic, ['mails.view_org'])
    const resend = (as = clinic.admin, mail = id) => core.post(path(clinic, `/${mail}/resend`), { as })
    assert.equal((await resend(viewer)).status, 403)
    const { status, body } = await resend()
    assert.deepEqual([status, body.data?.status], [200, 'sent'])
    assert.equal((await resend()).body.error.code, 'mail_not_resendable')
    assert.equal((await resend(clinic.admin, randomUUID())).body.error.code, 'mail_not_found')
    const other = await core.organization()
    assert.equal((await resend(clinic.admin, await invitation(other))).body.error.code, 'mail_not_found')
    const entries = await core.database.query(
      `select action, outcome from audit_log where organization_id = $1 and action = 'mails.resend'`,
      [clinic.id],
    )
    assert.deepEqual(entries, [{ action: 'mails.resend', outcome: 'success' }])
  })

  test('of five parallel requests to send again exactly one sends', async () => {
    const clinic = await core.organization()
    const id = await invitation(clinic, { status: 'failed' })
    const before = core.smtp.mails.length
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => core.post(path(clinic, `/${id}/resend`), { as: clinic.admin })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(core.smtp.mails.length, before + 1)
  })

  test('a mail that is due while somebody sends it again is sent by one of them', async () => {
    const clinic = await core.organization()
    const ids = await Promise.all(Array.from({ length: 6 }, () => invitation(clinic)))
    core.clock.now = new Date()
    const resend = (id: string) => core.post(path(clinic, `/${id}/resend`), { as: clinic.admin })
    const [answers] = await Promise.all([
      Promise.all(ids.map(resend)),
      sendDueMails(core.worker),
      sendDueMails(core.worker),
    ])
    for (const { status, body } of answers)
      assert.ok(status === 200 || body.error.code === 'mail_not_resendable', JSON.stringify(body))
    for (const id of ids) {
      const sent = core.smtp.mails.filter(({ messageId }) => messageId === `<${id}@tendon.example>`)
      assert.equal(sent.length, 1)
      assert.deepEqual(await stateOf(id), ['sent', 1])
    }
  })

  test('a mail whose server died while it sent it again is due when the lease ends', async () => {
    const clinic = await core.organization()
    const id = await invitation(clinic, { status: 'failed', attempts: 6 })
    const context = {
      principalId: clinic.admin.id,
      organizationId: clinic.id,
      permissions: ',mails.manage,mails.view_org,',
      serviceCodes: RESENDS.codes,
    }
    const claim = () => core.services.db.tenant(context, (tx) => claimMail(tx, id, new Date()))
    assert.equal((await claim())?.id, id)
    assert.equal(await claim(), undefined)
    core.clock.now = new Date()
    await sendDueMails(core.worker)
    assert.deepEqual(await stateOf(id), ['sending', 7])
    const before = core.smtp.mails.length
    core.clock.now = new Date(Date.now() + 61_000)
    await sendDueMails(core.worker)
    assert.deepEqual(await stateOf(id), ['sent', 8])
    assert.equal(core.smtp.mails.length, before + 1)
  })

  test('a mail that was cleared is not sent again', async () => {
    const clinic = await core.organization()
    const id = await invitation(clinic, { status: 'failed', to_address: 'erased' })
    const answer = await core.post(path(clinic, `/${id}/resend`), { as: clinic.admin })
    assert.equal(answer.body.error.code, 'mail_not_resendable')
    assert.deepEqual(await stateOf(id), ['failed', 0])
  })

  test('a provider that fails is 502, and the mail stays failed', async () => {
    const clinic = await core.organization()
    const id = await invitation(clinic)
    core.smtp.mood = 'busy'
    const answer = await core.post(path(clinic, `/${id}/resend`), { as: clinic.admin })
    core.smtp.mood = 'accepts'
    assert.deepEqual([answer.status, answer.body.error.code], [502, 'provider_failure'])
    assert.equal((await core.rowOf(id))?.status, 'failed')
  })

  describe('unsubscribing', () => {
    const consents = (profile: string) =>
      core.database.query<{ withdrawn: boolean; withdrawal_reason: string | null }>(
        `select withdrawn_at is not null as withdrawn, withdrawal_reason from consents
         where patient_profile_id = $1 and purpose_code = 'marketing_email'`,
        [profile],
      )

    async function reader() {
      const clinic = await core.organization({ name: 'Clinic <b>&' })
      const patient = await core.patient(clinic)
      await core.database.query(
        `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
         values ($1, $2, 'marketing_email', 1, 'self_toggle')`,
        [clinic.id, patient.profile_id],
      )
      const id = await core.queue({
        organization_id: clinic.id,
        patient_profile_id: patient.profile_id,
        template: 'newsletter',
        kind: 'marketing',
      })
      await sendDueMails(core.worker)
      const link = unsubscribeUrl(core.config, id)
      return { clinic, patient, id, path: link.slice(link.indexOf('/v1/')) }
    }
    const oneClick = (to: string, accept = '*/*'): Promise<Answer> =>
      core.rawCall(
        'POST',
        to,
        { 'content-type': 'application/x-www-form-urlencoded', accept },
        'List-Unsubscribe=One-Click',
      )

    test('one click withdraws the consent, once, with an audit entry and an event', async () => {
      const { clinic, patient, path } = await reader()
      assert.deepEqual((await oneClick(path)).body, { unsubscribed: true })
      assert.equal((await oneClick(path)).status, 200)
      assert.deepEqual(await consents(patient.profile_id), [{ withdrawn: true, withdrawal_reason: 'unsubscribe link' }])
      const seen = await core.database.query(
        `select action from audit_log where organization_id = $1 and action = 'consents.withdraw'
         union all select type from outbox_events where organization_id = $1 and type = 'consent.withdrawn'`,
        [clinic.id],
      )
      assert.deepEqual(seen, [{ action: 'consents.withdraw' }, { action: 'consent.withdrawn' }])
    })

    test('opening the link withdraws nothing: the page asks first', async () => {
      const { patient, path } = await reader()
      const page = await core.get(path)
      assert.equal(page.status, 200)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(page.text, /<form method="post"><button>Stop these messages<\/button>/)
      assert.ok(page.text.includes('Clinic &lt;b&gt;&amp;') && !page.text.includes('<b>'))
      assert.deepEqual(await consents(patient.profile_id), [{ withdrawn: false, withdrawal_reason: null }])
      const done = await oneClick(path, 'text/html')
      assert.match(done.text, /no more news and offers/)
      assert.equal((await consents(patient.profile_id))[0]?.withdrawn, true)
    })

    test('a forged, foreign or changed link is refused (404)', async () => {
      const { patient, path, id } = await reader()
      const other = await core.queue({ template: 'visit_reminder' })
      const signature = path.slice(path.lastIndexOf('.') + 1)
      for (const token of [
        'x',
        id,
        `${id}.${'A'.repeat(43)}`,
        `${other}.${signature}`,
        `${randomUUID()}.${signature}`,
      ]) {
        const answer = await oneClick(`/v1/public/unsubscribe/${token}`)
        assert.deepEqual([answer.status, answer.body.error.code], [404, 'unsubscribe_link_invalid'], token)
      }
      const ofCare = unsubscribeUrl(core.config, other)
      assert.equal((await oneClick(ofCare.slice(ofCare.indexOf('/v1/')))).status, 404)
      assert.equal((await consents(patient.profile_id))[0]?.withdrawn, false)
    })
  })

  test('notifications of Amazon SES suppress an address only when Amazon SNS signed them for our topic', async () => {
    const dns = await startDnsServer()
    const asked: string[] = []
    const amazon = createServer(testCertificate, (request, reply) => {
      asked.push(request.url ?? '')
      reply.end(testCertificate.cert)
    })
    await new Promise<void>((resolve) => amazon.listen(0, '127.0.0.1', resolve))
    const base = `https://sns.eu-central-1.amazonaws.com:${portOf(amazon)}`
    for (const name of ['sns.eu-central-1.amazonaws.com', 'evil.receiver.example'])
      dns.setAddresses(name, ['127.0.0.1'])
    const topic = 'arn:aws:sns:eu-central-1:123456789012:mail'
    const outbound = createOutbound({ dnsServers: [dns.address], allowPrivate: true, ca: testCertificate.cert })
    const shared = await sharedCore({ env: { MAIL_SNS_TOPIC_ARN: topic }, services: { outbound } })

    const signed = (values: Record<string, string>) => {
      const body: Record<string, string> = {
        Type: 'Notification',
        MessageId: randomUUID(),
        TopicArn: topic,
        Timestamp: '2026-11-16T16:00:00.000Z',
        SignatureVersion: '2',
        SigningCertURL: `${base}/SimpleNotificationService.pem`,
        ...values,
      }
      const fields =
        body.Type === 'Notification'
          ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
          : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
      const text = fields.flatMap((field) => (body[field] ? [`${field}\n${body[field]}\n`] : [])).join('')
      return { ...body, Signature: createSign('RSA-SHA256').update(text).sign(testCertificate.key, 'base64') }
    }
    const post = (body: unknown) =>
      shared.rawCall(
        'POST',
        '/webhooks/mail/ses',
        { 'content-type': 'text/plain; charset=UTF-8' },
        JSON.stringify(body),
      )
    const bounce = (address: string, type = 'Permanent') => ({
      Message: JSON.stringify({
        notificationType: 'Bounce',
        bounce: { bounceType: type, bouncedRecipients: [{ emailAddress: address }] },
      }),
    })
    const isSuppressed = async (address: string) =>
      (
        await shared.database.query('select 1 from mail_suppressions where address_index = $1', [
          addressIndex(shared.config, address),
        ])
      ).length === 1
    const address = `${randomUUID()}@mail.example`

    const whole = signed(bounce(address))
    for (const [why, body] of [
      ['another topic', signed({ ...bounce(address), TopicArn: `${topic}-2` })],
      ['a changed message', { ...whole, ...bounce(`x${address}`) }],
      [
        'a certificate of another host',
        signed({
          ...bounce(address),
          SigningCertURL: base.replace('sns.eu-central-1.amazonaws.com', 'evil.receiver.example'),
        }),
      ],
      [
        'a host that only begins alike',
        signed({ ...bounce(address), SigningCertURL: 'https://sns.eu-central-1.amazonaws.com.evil.example/x.pem' }),
      ],
      ['no certificate', signed({ ...bounce(address), SigningCertURL: `${base}/?Action=Publish&x=.pem` })],
      ['no TLS', signed({ ...bounce(address), SigningCertURL: 'http://sns.eu-central-1.amazonaws.com/x.pem' })],
      ['an unknown version', { ...whole, SignatureVersion: '3' }],
    ] as const) {
      const answer = await post(body)
      assert.deepEqual([answer.status, answer.body?.error?.code], [403, 'notification_refused'], why)
    }
    assert.equal(await isSuppressed(address), false)
    assert.equal((await post(signed(bounce(address, 'Transient')))).status, 204)
    assert.equal(await isSuppressed(address), false)
    assert.equal((await post(whole)).status, 204)
    assert.equal(await isSuppressed(address), true)

    asked.length = 0
    const confirmation = { Type: 'SubscriptionConfirmation', Token: 't', Message: 'm' }
    const evil = base.replace('sns.eu-central-1.amazonaws.com', 'evil.receiver.example')
    assert.equal((await post(signed({ ...confirmation, SubscribeURL: `${evil}/confirm` }))).status, 403)
    assert.ok(!asked.includes('/confirm'))
    assert.equal((await post(signed({ ...confirmation, SubscribeURL: `${base}/confirm` }))).status, 204)
    assert.ok(asked.includes('/confirm'))
    await shared.close()
    await outbound.close()
    amazon.closeAllConnections()
    amazon.close()
    await dns.close()
  })

  test('in development /dev/mails shows every mail with its links; elsewhere it does not exist', async () => {
    const clinic = await core.organization({ name: 'Clinic <i>' })
    const id = await invitation(clinic)
    assert.equal((await core.get('/dev/mails')).status, 404)
    const local = await sharedCore({ env: { NODE_ENV: 'development' }, services: { db: core.services.db } })
    const list = await local.get('/dev/mails')
    assert.equal(list.status, 200, list.text)
    assert.ok(list.text.includes(`href="/dev/mails/${id}"`))
    const page = await local.get(`/dev/mails/${id}`)
    assert.ok(page.text.includes('You are invited to Test'))
    assert.ok(page.text.includes(`href="${local.config.publicUrl}/console/${clinic.slug}#email=`), page.text)
    assert.ok(!page.text.includes('<i>'))
    assert.match((await local.get(`/dev/mails/${id}/html`)).text, /class="button"/)
    assert.equal((await local.get(`/dev/mails/${randomUUID()}`)).status, 404)
    assert.equal((await local.get('/dev/mails/nonsense')).status, 404)
    await local.close()
  })
})
