import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { jobs } from '../../jobs.ts'
import { jobTools } from './job.testing.ts'
import { startCoreAndRounds, startReceiver, type TestClinic } from './webhooks/webhooks.testing.ts'

const DAY_MS = 86_400_000

describe('retention of connections', () => {
  let core: Awaited<ReturnType<typeof startCoreAndRounds>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  before(async () => {
    core = await startCoreAndRounds()
    receiver = await startReceiver()
  })
  after(async () => {
    await core.close()
    await receiver.close()
  })

  async function runAfter(days: number, name: string): Promise<void> {
    core.clock.now = new Date(Date.now() + days * DAY_MS)
    const job = jobs.find((one) => one.name === name)
    assert.ok(job, name)
    await job.run({}, jobTools(core.worker))
    core.clock.now = new Date()
  }
  const count = async (table: string, clinic: TestClinic) => {
    const [row] = await core.database.query<{ count: string }>(
      `select count(*) from ${table} where organization_id = $1`,
      [clinic.id],
    )
    return Number(row?.count)
  }

  test('deliveries are deleted after 30 days with their bodies, failed ones after 90', async () => {
    const clinic = await core.organization()
    const hook = await core.subscribe(clinic, receiver.url, ['form.signed'])
    const gone = await core.subscribe(clinic, 'http://127.0.0.1:9/', ['form.created'])
    await core.publish(clinic, 'form.signed')
    await core.publish(clinic, 'form.created')
    await core.fanOut()
    await core.deliver()
    await core.database.query(`update webhook_deliveries set status = 'failed', next_attempt_at = null
      where subscription_id = '${gone.uid}'`)
    await runAfter(29, 'delete_old_webhook_rows')
    assert.deepEqual([await count('webhook_deliveries', clinic), await count('webhook_events', clinic)], [2, 2])
    await runAfter(31, 'delete_old_webhook_rows')
    assert.equal((await core.deliveriesOf(clinic, hook.uid)).length, 0)
    assert.equal((await core.deliveriesOf(clinic, gone.uid)).length, 1)
    assert.equal(await count('webhook_events', clinic), 1)
    await runAfter(91, 'delete_old_webhook_rows')
    assert.deepEqual([await count('webhook_deliveries', clinic), await count('webhook_events', clinic)], [0, 0])
  })

  test('address and data of a mail are cleared 30 days after sending, even if it has no data', async () => {
    const clinic = await core.organization()
    await core.database.query(
      `insert into mail_outbox (organization_id, to_address, template, kind, language, data, status, sent_at)
       values ($1, 'ana@mail.example', 't', 'care', 'en', '{"a": 1}', 'sent', now()),
         ($1, 'dan@mail.example', 't', 'care', 'en', '{}', 'sent', now()),
         ($1, 'eva@mail.example', 't', 'care', 'en', '{}', 'queued', null)`,
      [clinic.id],
    )
    const addresses = async () =>
      (
        await core.database.query<{ to_address: string }>(
          `select to_address from mail_outbox where organization_id = $1 and template = 't' order by id`,
          [clinic.id],
        )
      ).map(({ to_address }) => to_address)
    await runAfter(29, 'clear_old_mails')
    assert.deepEqual(await addresses(), ['ana@mail.example', 'dan@mail.example', 'eva@mail.example'])
    await runAfter(31, 'clear_old_mails')
    assert.deepEqual(await addresses(), ['erased', 'erased', 'eva@mail.example'])
  })

  test('messages to inbound webhooks are deleted after 30 days', async () => {
    const clinic = await core.organization()
    const { body } = await core.post(`/v1/organizations/${clinic.id}/integrations`, {
      as: clinic.admin,
      body: { service_slug: 'inbound_webhook', title: 'Laboratory', config: {} },
    })
    const { url, signing_secret } = body.data.inbound as { url: string; signing_secret: string }
    const signature = `sha256=${createHmac('sha256', signing_secret).update('{}').digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-signature': signature }
    assert.equal((await core.rawCall('POST', new URL(url).pathname, headers, '{}')).status, 202)
    await runAfter(29, 'delete_expired_integration_rows')
    assert.equal(await count('integration_messages', clinic), 1)
    await runAfter(31, 'delete_expired_integration_rows')
    assert.equal(await count('integration_messages', clinic), 0)
  })

  test('every act on a webhook is in the audit log', async () => {
    const clinic = await core.organization()
    const as = clinic.admin
    const hook = await core.subscribe(clinic, receiver.url, ['form.signed'])
    const base = `/v1/webhook-subscriptions/${hook.uid}`
    await core.publish(clinic, 'form.signed')
    await core.fanOut()
    await core.deliver()
    const [delivery] = await core.deliveriesOf(clinic, hook.uid)
    const since = new Date(Date.now() - DAY_MS).toISOString()
    for (const [path, body] of [
      ['/test', {}],
      ['/rotate-secret', {}],
      [`/events/${delivery.id}/replay`, {}],
      ['/recover', { since, until: new Date().toISOString() }],
    ] as const) {
      const { status, text } = await core.post(base + path, { as, body })
      assert.ok(status < 300, `${path}: ${text}`)
    }
    await core.patch(base, { as, body: { description: 'New' } })
    await core.delete(base, { as })
    const rows = await core.database.query<{ action: string }>(
      `select action from audit_log where organization_id = $1 and action like 'webhooks.%' order by action`,
      [clinic.id],
    )
    assert.deepEqual(
      rows.map(({ action }) => action.split('.')[1]),
      ['create', 'delete', 'recover', 'replay', 'rotate_secret', 'test', 'update'],
    )
  })
})
