import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { systemContext } from '@tendon/access'
import { Webhook } from 'standardwebhooks'
import { insertDirectDelivery } from './delivery-queries.ts'
import { headersOf, startCoreAndRounds, startReceiver, type TestClinic } from './webhooks.testing.ts'

const BASE = '/v1/webhook-subscriptions'
const hour = 3_600_000

describe('webhook subscriptions', () => {
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

  const create = (clinic: TestClinic, body: object) => core.post(BASE, { as: clinic.admin, body })
  const send = async () => {
    await core.fanOut()
    await core.deliver()
  }
  const at = () => `${receiver.url}/${randomUUID()}`
  const receivedAt = (url: string) => receiver.received.filter(({ path }) => receiver.url + path === url)
  const bodiesAt = (url: string) => receivedAt(url).map(({ body }) => JSON.parse(body.toString()))

  test('only the response to the creation contains the secret; the database stores it encrypted', async () => {
    const clinic = await core.organization()
    const { status, body } = await create(clinic, { url: at(), description: 'Ours', events: ['form.signed'] })
    assert.equal(status, 201)
    const { secret, ...shown } = body.data
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual((await core.get(`${BASE}/${shown.uid}`, { as: clinic.admin })).body.data, shown)
    const listed = await core.get(BASE, { as: clinic.admin })
    assert.ok(!listed.text.includes(secret))
    const stored = await core.database.query('select s::text as row from webhook_subscriptions s where id = $1', [
      shown.uid,
    ])
    assert.ok(!JSON.stringify(stored).includes(Buffer.from(secret).toString('hex')))
    assert.ok(!core.log.toString().includes(secret))
  })

  test('bad URLs and unknown events are refused, each with its reason (422)', async () => {
    const clinic = await core.organization()
    for (const url of ['ftp://a.example', 'https://user:secret@a.example', 'nothing']) {
      const { status, body } = await create(clinic, { url, events: ['patient.exploded'] })
      assert.deepEqual([status, Object.keys(body.error.fields).sort()], [422, ['events', 'url']], url)
    }
  })

  test('a clinic has at most 20 subscriptions, also when several are created at once (403)', async () => {
    const clinic = await core.organization()
    for (let count = 0; count < 18; count++) await core.subscribe(clinic, at())
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(clinic, { url: at(), events: ['*'] })))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 201, 403, 403],
    )
    assert.equal(answers.find(({ status }) => status === 403)?.body.error.code, 'limit_exceeded')
  })

  test('a subscription gets only the events it names, of its clinic, and never unpublished ones', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const [signed, all, theirs] = [at(), at(), at()]
    await core.subscribe(clinic, signed, ['form.signed'])
    await core.subscribe(clinic, all)
    await core.subscribe(other, theirs)
    await core.publish(clinic, 'form.signed', { form_id: randomUUID(), title: 'Canary' })
    await core.publish(clinic, 'form.created', { form_id: randomUUID() })
    await core.publish(clinic, 'member.added', { principal_id: randomUUID() })
    await send()
    assert.deepEqual(
      bodiesAt(signed).map(({ event }) => event),
      ['form.signed'],
    )
    assert.deepEqual(
      bodiesAt(all)
        .map(({ event }) => String(event))
        .sort(),
      ['form.created', 'form.signed'],
    )
    assert.ok(!JSON.stringify(bodiesAt(all)).includes('Canary'))
    assert.deepEqual(bodiesAt(theirs), [])
  })

  test('events about a restricted or erased patient are discarded; those that protect the patient are sent', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const url = at()
    const hook = await core.subscribe(clinic, url)
    const added = await core.post('/v1/patients', {
      as: clinic.admin,
      body: { first_name: 'Canary', last_name: 'Canary', email: `${randomUUID()}@canary.example` },
    })
    assert.equal(added.status, 201, added.text)
    const { id: patient_id, patient_profile_id } = added.body.data
    await core.publish(clinic, 'form.signed', { form_id: randomUUID(), patient_profile_id })
    await core.fanOut()
    await core.database.query('update patients set restricted_at = now() where id = $1', [patient_id])
    await core.publish(clinic, 'form.created', { form_id: randomUUID(), patient_profile_id })
    await core.publish(clinic, 'segment.member.removed', { segment_id: randomUUID(), patient_id })
    for (const type of ['patient.restricted', 'patient.deleted', 'gdpr.erase_completed', 'consent.withdrawn'])
      await core.publish(clinic, type, { patient_id, patient_profile_id, note: 'Canary' })
    await send()
    assert.deepEqual(
      bodiesAt(url)
        .map(({ event }) => String(event))
        .sort(),
      ['consent.withdrawn', 'patient.deleted', 'patient.erased', 'patient.restricted'],
    )
    assert.ok(!/canary/i.test(JSON.stringify(receivedAt(url).map(({ body }) => body.toString()))))
    const discarded = await core.deliveriesOf(clinic, hook.uid, 'status=discarded')
    assert.ok(discarded.length >= 3)
    assert.ok(
      discarded.every(({ discard_reason }: { discard_reason: string }) => discard_reason === 'patient_restricted'),
    )
    const replayed = await core.post(`${BASE}/${hook.uid}/events/${discarded[0].id}/replay`, { as: clinic.admin })
    assert.deepEqual([replayed.status, replayed.body.error.code], [409, 'delivery_discarded'])
  })

  test('after a rotation both secrets sign for 24 hours', async () => {
    const clinic = await core.organization()
    const url = at()
    const hook = await core.subscribe(clinic, url)
    const headers = { 'idempotency-key': randomUUID() }
    const rotate = () => core.post(`${BASE}/${hook.uid}/rotate-secret`, { as: clinic.admin, headers })
    const rotated = await rotate()
    assert.equal(rotated.status, 200)
    const { secret } = rotated.body.data
    assert.notEqual(secret, hook.secret)
    assert.equal((await rotate()).body.data.secret, secret) // a repeated request does not rotate again
    await core.publish(clinic, 'form.signed')
    await send()
    const [first] = receivedAt(url)
    const verify = (by: string, got = first) =>
      new Webhook(by).verify(got?.body.toString() ?? '', got ? headersOf(got) : {})
    verify(secret)
    verify(hook.secret)
    assert.ok(first?.headers['x-webhook-signature-previous'])
    const start = core.clock.now
    core.clock.now = new Date(Date.now() + 24 * hour + 1_000)
    await core.publish(clinic, 'form.signed')
    await send()
    const [, second] = receivedAt(url)
    assert.equal(second?.headers['x-webhook-signature-previous'], undefined)
    assert.equal(String(second?.headers['webhook-signature']).split(' ').length, 1)
    core.clock.now = start
  })

  test('the test route sends webhook.test at once and returns the result; a failure deactivates nothing; ten a minute are allowed', async () => {
    const clinic = await core.organization()
    const url = at()
    const hook = await core.subscribe(clinic, url, ['form.signed'])
    const run = () => core.post(`${BASE}/${hook.uid}/test`, { as: clinic.admin })
    const { status, body } = await run()
    assert.deepEqual([status, body.data.status, body.data.attempts[0].trigger], [200, 'delivered', 'manual'])
    assert.deepEqual(
      bodiesAt(url).map(({ event, data }) => [event, data]),
      [['webhook.test', { webhook_uid: hook.uid }]],
    )
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    assert.equal((await run()).body.data.status, 'failed')
    receiver.answer = (_received, response) => void response.writeHead(410).end()
    const gone = (await run()).body.data
    assert.deepEqual([gone.status, gone.attempts[0].error], ['failed', 'gone'])
    const { is_active, first_failure_at } = (await core.get(`${BASE}/${hook.uid}`, { as: clinic.admin })).body.data
    assert.deepEqual([is_active, first_failure_at], [true, null])
    receiver.answer = (_received, response) => void response.end()
    for (let count = 0; count < 7; count++) assert.equal((await run()).status, 200)
    const refused = await run()
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  })

  test('a delivery is replayed with the same bytes; recovery sends what failed, and what an inactive subscription missed', async () => {
    const clinic = await core.organization()
    const url = at()
    const hook = await core.subscribe(clinic, url)
    await core.publish(clinic, 'form.signed')
    await send()
    const [delivery] = await core.deliveriesOf(clinic, hook.uid)
    const replay = () => core.post(`${BASE}/${hook.uid}/events/${delivery.id}/replay`, { as: clinic.admin })
    assert.equal((await replay()).status, 202)
    core.clock.now = new Date()
    await core.deliver()
    const [first, second] = receivedAt(url)
    assert.deepEqual(first?.body, second?.body)
    const patch = (is_active: boolean) => core.patch(`${BASE}/${hook.uid}`, { as: clinic.admin, body: { is_active } })
    assert.equal((await patch(false)).body.data.disabled_reason, 'manual')
    assert.equal((await replay()).body.error.code, 'webhook_inactive')
    assert.equal(
      (await core.post(`${BASE}/${hook.uid}/test`, { as: clinic.admin })).body.error.code,
      'webhook_inactive',
    )
    const missed = await core.publish(clinic, 'form.created')
    await send()
    assert.equal(receivedAt(url).length, 2)
    await patch(true)
    const body = { since: new Date(Date.now() - hour).toISOString() }
    const recovered = await core.post(`${BASE}/${hook.uid}/recover`, { as: clinic.admin, body })
    assert.deepEqual([recovered.status, recovered.body.data.deliveries], [202, 1])
    core.clock.now = new Date()
    await core.deliver()
    assert.equal(bodiesAt(url).at(-1)?.id, missed)
    const stats = await core.get(`${BASE}/${hook.uid}/stats`, { as: clinic.admin })
    assert.deepEqual([stats.body.data.deliveries.delivered, stats.body.data.attempts.total], [2, 3])
  })

  test('recovery sends nothing that occurred before the subscription was created, and counts what it left out', async () => {
    const clinic = await core.organization()
    await core.subscribe(clinic, at(), ['form.signed', 'form.created'])
    core.clock.now = new Date(Date.now() - hour)
    for (const type of ['form.signed', 'form.signed', 'form.created']) await core.publish(clinic, type)
    await send()
    const url = at()
    const hook = await core.subscribe(clinic, url, ['form.signed'])
    const patch = (is_active: boolean) => core.patch(`${BASE}/${hook.uid}`, { as: clinic.admin, body: { is_active } })
    const recover = async (since: number) => {
      const body = { since: new Date(Date.now() - since).toISOString() }
      const answer = await core.post(`${BASE}/${hook.uid}/recover`, { as: clinic.admin, body })
      assert.equal(answer.status, 202, answer.text)
      return answer.body.data
    }
    assert.deepEqual(await recover(2 * hour), { deliveries: 0, left_out: 2 })
    await patch(false)
    core.clock.now = new Date()
    const missed = await core.publish(clinic, 'form.signed')
    await send()
    await patch(true)
    assert.deepEqual(await recover(2 * hour), { deliveries: 1, left_out: 2 })
    assert.deepEqual(await recover(hour / 2), { deliveries: 0, left_out: 0 })
    core.clock.now = new Date()
    await core.deliver()
    assert.deepEqual(
      bodiesAt(url).map(({ id }) => id),
      [missed],
    )
  })

  test('recovery sends nothing that an automation sent to another subscription', async () => {
    const clinic = await core.organization()
    const [named, other] = [await core.subscribe(clinic, at()), await core.subscribe(clinic, at())]
    const [id, now] = [randomUUID(), new Date().toISOString()]
    await core.worker.db.tenant(systemContext(clinic.id), (tx) =>
      insertDirectDelivery(tx, named.uid, {
        id,
        event: 'automation.triggered',
        body: '{}',
        occurred_at: now,
        patientId: null,
        patientProfileId: null,
      }),
    )
    const body = { since: new Date(Date.now() - hour).toISOString() }
    const recovered = await core.post(`${BASE}/${other.uid}/recover`, { as: clinic.admin, body })
    assert.deepEqual([recovered.status, recovered.body.data.deliveries], [202, 0])
  })

  test('the catalogue has an example of each event, and a test vector that the library verifies', async () => {
    const clinic = await core.organization()
    const { body } = await core.get('/v1/webhook-events', { as: clinic.admin })
    const { events, signature_test_vector: vector } = body.data
    assert.ok(events.every((one: { example: { event: string }; event: string }) => one.example.event === one.event))
    const stale = () => new Webhook(vector.secret).verify(vector.body, vector.headers)
    assert.throws(stale, /timestamp/i)
    const at = new Date(Number(vector.headers['webhook-timestamp']) * 1_000)
    const signed = new Webhook(vector.secret).sign(vector.headers['webhook-id'], at, vector.body)
    assert.equal(signed, vector.headers['webhook-signature'])
  })

  test('another clinic gets 404, and reading needs webhooks.view_org (403)', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const hook = await core.subscribe(clinic, at())
    const as = other.admin
    for (const answer of [
      await core.get(`${BASE}/${hook.uid}`, { as }),
      await core.patch(`${BASE}/${hook.uid}`, { as, body: { is_active: false } }),
      await core.get(`${BASE}/${hook.uid}/events`, { as }),
      await core.get(`${BASE}/${hook.uid}/stats`, { as }),
      await core.post(`${BASE}/${hook.uid}/test`, { as }),
      await core.post(`${BASE}/${hook.uid}/rotate-secret`, { as }),
      await core.post(`${BASE}/${hook.uid}/recover`, { as, body: { since: new Date().toISOString() } }),
      await core.delete(`${BASE}/${hook.uid}`, { as }),
    ])
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'webhook_not_found'])
    const member = await core.memberWith(clinic, [])
    assert.equal((await core.get(BASE, { as: member })).status, 403)
    assert.equal((await core.delete(`${BASE}/${hook.uid}`, { as: clinic.admin })).status, 204)
  })
})
