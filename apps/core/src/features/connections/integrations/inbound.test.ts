import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startAutomations } from '../automations/automations.testing.ts'
import { startReceiver, type TestClinic } from '../webhooks/webhooks.testing.ts'

describe('messages to inbound webhooks', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  let relay: Awaited<ReturnType<typeof startReceiver>>
  before(async () => {
    core = await startAutomations()
    relay = await startReceiver()
  })
  after(async () => {
    await core.close()
    await relay.close()
  })

  interface Inbound {
    id: string
    path: string
    secret: string
  }
  async function inbound(clinic: TestClinic, config = {}): Promise<Inbound> {
    const { body, text } = await core.post(`/v1/organizations/${clinic.id}/integrations`, {
      as: clinic.admin,
      body: { service_slug: 'inbound_webhook', title: `Inbound ${randomUUID()}`, config },
    })
    assert.ok(body.data, text)
    const { url, signing_secret } = body.data.inbound
    return { id: body.data.id, path: new URL(url).pathname, secret: signing_secret }
  }
  const MESSAGE = '{"result":"abnormal"}'
  const signed = (secret: string, id: string, at = new Date(), body = MESSAGE) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  })
  const send = (to: Inbound, headers: Record<string, string>, body = MESSAGE) =>
    core.rawCall('POST', to.path, { 'content-type': 'application/json', ...headers }, body)
  const codeOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body.error?.code]
  const eventsOf = (clinic: TestClinic) =>
    core.database.query<{ payload: { message_id: string; integration_id: string }; automation_rule_ids: string[] }>(
      `select payload, automation_rule_ids from outbox_events where organization_id = $1 and type = 'integration.received'`,
      [clinic.id],
    )
  const messagesOf = (clinic: TestClinic) =>
    core.database.query('select id from integration_messages where organization_id = $1', [clinic.id])
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

  test('a message signed by a library for Standard Webhooks is taken; X-Signature still works', async () => {
    const clinic = await core.organization()
    const to = await inbound(clinic)
    const answer = await send(to, signed(to.secret, 'msg_1'))
    assert.deepEqual([answer.status, answer.body.data.duplicate], [202, false], answer.text)
    const old = createHmac('sha256', to.secret).update(MESSAGE).digest('hex')
    for (let time = 0; time < 2; time += 1) {
      const other = await send(to, { 'x-signature': `sha256=${old}` })
      assert.deepEqual([other.status, other.body.data.duplicate], [202, false], other.text)
    }
    assert.equal((await eventsOf(clinic)).length, 3)
  })

  test('a signature over another id, time, body or key is refused (401), even with a valid X-Signature', async () => {
    const clinic = await core.organization()
    const [to, other] = [await inbound(clinic), await inbound(clinic)]
    const good = signed(to.secret, 'msg_1')
    const x = { 'x-signature': `sha256=${createHmac('sha256', to.secret).update(MESSAGE).digest('hex')}` }
    const bad: Record<string, string>[] = [
      { ...good, 'webhook-id': 'msg_2' },
      { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) },
      { ...good, 'webhook-timestamp': 'soon' },
      { ...good, 'webhook-id': '' },
      { ...good, 'webhook-id': 'a'.repeat(256) },
      { ...good, 'webhook-signature': 'v1,', ...x },
      { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') },
      signed(other.secret, 'msg_1'),
      signed(to.secret, 'msg_1', new Date(), '{}'),
      { 'webhook-signature': good['webhook-signature'] },
    ]
    for (const headers of bad)
      assert.deepEqual(codeOf(await send(to, headers)), [401, 'signature_invalid'], JSON.stringify(headers))
    const several = `v1,${Buffer.alloc(32).toString('base64')} ${good['webhook-signature']}`
    assert.equal((await send(to, { ...good, 'webhook-signature': several })).status, 202)
    assert.deepEqual([(await eventsOf(clinic)).length, (await messagesOf(clinic)).length], [1, 1])
  })

  test('a message signed more than five minutes ago or ahead is refused (401), and nothing is stored', async () => {
    const clinic = await core.organization()
    const to = await inbound(clinic)
    for (const minutes of [6, 60, -6])
      assert.deepEqual(codeOf(await send(to, signed(to.secret, 'msg_1', minutesAgo(minutes)))), [401, 'timestamp_invalid']) // biome-ignore format: one fact
    assert.deepEqual([await eventsOf(clinic), await messagesOf(clinic)], [[], []])
    for (const minutes of [4, -4])
      assert.equal((await send(to, signed(to.secret, `msg_${minutes}`, minutesAgo(minutes)))).status, 202)
  })

  test('a message with the same id is answered as a duplicate, without a second event', async () => {
    const clinic = await core.organization()
    const [to, other] = [await inbound(clinic), await inbound(clinic)]
    const headers = signed(to.secret, 'msg_1')
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(to, headers)))
    answers.push(await send(to, signed(to.secret, 'msg_1', minutesAgo(1))))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
    assert.equal(answers.filter(({ body }) => body.data.duplicate === false).length, 1)
    const [event, ...rest] = await eventsOf(clinic)
    assert.deepEqual([rest, new Set(answers.map(({ body }) => body.data.id))], [[], new Set([event?.payload.message_id])]) // biome-ignore format: one fact
    assert.equal((await messagesOf(clinic)).length, 1)
    assert.equal((await send(other, signed(other.secret, 'msg_1'))).body.data.duplicate, false)
    const foreign = await core.organization()
    const theirs = await inbound(foreign)
    assert.equal((await send(theirs, signed(theirs.secret, 'msg_1'))).body.data.duplicate, false)
  })

  test('an id that X-Signature does not sign silences no other message', async () => {
    const clinic = await core.organization()
    const to = await inbound(clinic)
    const x = { 'x-signature': `sha256=${createHmac('sha256', to.secret).update(MESSAGE).digest('hex')}` }
    for (let time = 0; time < 2; time += 1)
      assert.equal((await send(to, { ...x, 'webhook-id': 'msg_1' })).body.data.duplicate, false)
    const genuine = await send(to, signed(to.secret, 'msg_1', new Date(), '{}'), '{}')
    assert.deepEqual([genuine.status, genuine.body.data.duplicate], [202, false])
    assert.equal((await eventsOf(clinic)).length, 3)
  })

  test('a signed id that contains a dot is refused (401), because id, time and body could be divided otherwise', async () => {
    const clinic = await core.organization()
    const to = await inbound(clinic)
    const refused = await send(to, signed(to.secret, 'msg.1'))
    assert.deepEqual(codeOf(refused), [401, 'signature_invalid'])
    assert.match(refused.body.error.message, /webhook-id .*no dot/)
    assert.deepEqual(await messagesOf(clinic), [])
  })

  test('without signatures the id still decides', async () => {
    const clinic = await core.organization()
    const to = await inbound(clinic, { verify_signature: false })
    for (const id of ['msg_1', 'msg.1']) {
      assert.equal((await send(to, { 'webhook-id': id })).body.data.duplicate, false)
      assert.equal((await send(to, { 'webhook-id': id })).body.data.duplicate, true)
    }
    assert.equal((await eventsOf(clinic)).length, 2)
  })

  /** A rule that answers each message with a webhook to the relay. */
  async function answering(clinic: TestClinic) {
    const to = await inbound(clinic)
    const { uid } = await core.subscribe(clinic, `${relay.url}/${to.id}`, ['webhook.test'])
    const rule = await core.created(clinic, [{ type: 'send_webhook', params: { subscription_uid: uid } }], {
      trigger: { event: 'integration.received', filter: { integration_id: [to.id] } },
    })
    return { to, rule }
  }
  /** Runs what is due, and gives what the relay has received since. */
  async function round(clinic: TestClinic) {
    relay.received = []
    await core.runAll(clinic)
    core.clock.now = new Date()
    await core.deliver()
    return relay.received
  }
  const forward = (to: Inbound, { 'webhook-cause': cause }: Record<string, unknown>, id: string = randomUUID()) =>
    send(to, { ...signed(to.secret, id), ...(typeof cause === 'string' ? { 'webhook-cause': cause } : {}) })
  const runsOf = async (clinic: TestClinic) =>
    (await core.runsOf(clinic)).map(({ status, skip_reason }) => `${status} ${skip_reason}`)

  test('a loop through a relay that copies the cause ends at the rule that started it', async () => {
    const clinic = await core.organization()
    const { to, rule } = await answering(clinic)
    await send(to, signed(to.secret, 'first'))
    const [received] = await round(clinic)
    assert.match(String(received?.headers['webhook-cause']), /^v1\./)
    assert.equal((await forward(to, received?.headers ?? {})).status, 202)
    assert.deepEqual(
      (await eventsOf(clinic)).flatMap((one) => one.automation_rule_ids),
      [rule.id],
    )
    assert.deepEqual(await round(clinic), [])
    assert.deepEqual(await runsOf(clinic), ['skipped loop', 'succeeded null'])
  })

  test('a chain through relays, also of several clinics, ends after three rules', async () => {
    const [clinic, second] = [await core.organization(), await core.organization()]
    const stations = []
    for (const owner of [clinic, second, clinic, second, clinic]) stations.push({ owner, ...(await answering(owner)) })
    let headers: Record<string, unknown> = {}
    for (const { owner, to } of stations.slice(0, 4)) {
      assert.equal((await forward(to, headers)).status, 202)
      const [received] = await round(owner)
      assert.ok(received, 'the chain continues')
      headers = received.headers
    }
    const [, , , , last] = stations
    assert.ok(last)
    await forward(last.to, headers)
    assert.deepEqual(await round(clinic), [])
    assert.deepEqual((await runsOf(clinic)).sort(), ['skipped loop', 'succeeded null', 'succeeded null'])
  })

  test('a cause that we did not sign is ignored', async () => {
    const clinic = await core.organization()
    const { to, rule } = await answering(clinic)
    const signature = createHmac('sha256', 'guess').update(rule.id).digest('base64url')
    for (const cause of [`v1.${rule.id}.${signature}`, `v1.${rule.id}.`, 'v1..', 'nonsense', 'x'.repeat(4_000)])
      assert.equal((await forward(to, { 'webhook-cause': cause })).status, 202, cause)
    assert.equal((await round(clinic)).length, 5)
  })

  test('an event that no rule caused has no cause', async () => {
    const clinic = await core.organization()
    await core.subscribe(clinic, relay.url, ['pain.reported'])
    relay.received = []
    await core.pain(clinic)
    await core.fanOut()
    core.clock.now = new Date()
    await core.deliver()
    assert.deepEqual(relay.received.map(({ headers }) => headers['webhook-cause']), [undefined]) // biome-ignore format: one fact
  })
})
