import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { Webhook } from 'standardwebhooks'
import { jobTools } from '../job.testing.ts'
import { webhookJobs } from './jobs.ts'
import { nextAttemptAt, retryAfterSeconds } from './rules.ts'
import { headersOf, startCoreAndRounds, startReceiver, type TestClinic } from './webhooks.testing.ts'

const seconds = (count: number) => count * 1_000
const DAY = seconds(86_400)

describe('webhook deliveries', () => {
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

  const path = () => `/${randomUUID()}`
  const receivedAt = (at: string) => receiver.received.filter(({ path }) => path === at)
  const event = (clinic: TestClinic) => core.publish(clinic, 'form.signed', { form_id: randomUUID() })
  async function sendOne(answer: typeof receiver.answer = (_received, response) => void response.writeHead(204).end()) {
    const clinic = await core.organization()
    const at = path()
    receiver.answer = answer
    const hook = await core.subscribe(clinic, receiver.url + at)
    const id = await event(clinic)
    await core.fanOut()
    await core.deliver()
    return { clinic, at, hook, id }
  }
  const moveOn = async (ms: number) => {
    core.clock.now = new Date(core.clock.now.getTime() + ms)
    await core.deliver()
  }

  test('an event arrives with both signatures, which an independent HMAC and the library verify', async () => {
    const { at, hook, id, clinic } = await sendOne()
    const [got] = receivedAt(at)
    assert.ok(got)
    const sent = JSON.parse(got.body.toString())
    assert.deepEqual([sent.id, sent.event, sent.organization_id], [id, 'form.signed', clinic.id])
    const digest = createHmac('sha256', hook.secret).update(got.body).digest('hex')
    assert.equal(got.headers['x-webhook-signature'], `sha256=${digest}`)
    const verified = new Webhook(hook.secret).verify(got.body.toString(), headersOf(got))
    assert.deepEqual(verified, sent)
    assert.throws(() => new Webhook(hook.secret).verify(`${got.body.toString()} `, headersOf(got)))
    const [delivery] = await core.deliveriesOf(clinic, hook.uid)
    assert.deepEqual(
      [delivery.status, delivery.attempts.length, delivery.attempts[0].response_status],
      ['delivered', 1, 204],
    )
  })

  test('retries follow the schedule with the same bytes, and end as failed', async () => {
    const { at, hook, clinic, id } = await sendOne((_received, response) => void response.writeHead(500).end('no'))
    const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
    for (const [index, wait] of waits.entries()) {
      await moveOn(seconds(wait) - 1)
      assert.equal(receivedAt(at).length, index + 1, 'not before its time')
      await moveOn(1)
      assert.equal(receivedAt(at).length, index + 2)
    }
    const [delivery] = await core.deliveriesOf(clinic, hook.uid, 'status=failed')
    assert.deepEqual([delivery.event_id, delivery.attempt_count, delivery.next_attempt_at], [id, 8, null])
    assert.deepEqual(delivery.attempts[7].response_body, 'no')
    const bodies = new Set(receivedAt(at).map(({ body }) => body.toString('hex')))
    assert.equal(bodies.size, 1)
    assert.ok(receivedAt(at).every(({ headers }) => headers['webhook-id'] === id))
  })

  test('the times between attempts vary by 20 %, and Retry-After can only lengthen them', () => {
    const now = new Date(0)
    const after = (random: number, retryAfter?: number) => nextAttemptAt(1, { now, random, retryAfter })?.getTime()
    assert.deepEqual([after(0), after(1), after(0.5, 900), after(0.5, 1)], [240_000, 360_000, 900_000, 300_000])
    assert.equal(nextAttemptAt(7, { now, random: 0 }), undefined)
    assert.equal(retryAfterSeconds('120', now), 120)
    assert.equal(retryAfterSeconds(new Date(60_000).toUTCString(), now), 60)
    assert.equal(retryAfterSeconds('99999999', now), 86_400)
    assert.deepEqual([retryAfterSeconds('soon', now), retryAfterSeconds('-5', now)], [undefined, undefined])
  })

  test('Retry-After is honoured', async () => {
    const { at } = await sendOne((_received, response) => void response.writeHead(429, { 'retry-after': '3600' }).end())
    await moveOn(seconds(3_599))
    assert.equal(receivedAt(at).length, 1)
    await moveOn(seconds(1))
    assert.equal(receivedAt(at).length, 2)
  })

  test('a redirect is a failure and is not followed', async () => {
    const { clinic, hook } = await sendOne(
      (_received, response) => void response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end(),
    )
    assert.equal(receivedAt('/elsewhere').length, 0)
    const [delivery] = await core.deliveriesOf(clinic, hook.uid)
    assert.deepEqual([delivery.status, delivery.attempts[0].error], ['retrying', 'redirect'])
  })

  test('of a huge response 20,000 bytes are stored', async () => {
    const { clinic, hook } = await sendOne((_received, response) => void response.end('a'.repeat(100_000)))
    const [listed] = await core.deliveriesOf(clinic, hook.uid)
    assert.deepEqual([listed.status, listed.attempts[0].response_body.length], ['delivered', 1_000])
    const url = `/v1/webhook-subscriptions/${hook.uid}/events/${listed.id}`
    const { body } = await core.get(url, { as: clinic.admin })
    assert.equal(body.data.attempts[0].response_body.length, 20_000)
  })

  test('410 deactivates the subscription, with a mail to those who manage webhooks', async () => {
    const { clinic, hook } = await sendOne((_received, response) => void response.writeHead(410).end())
    const { body } = await core.get(`/v1/webhook-subscriptions/${hook.uid}`, { as: clinic.admin })
    assert.deepEqual([body.data.is_active, body.data.disabled_reason], [false, 'gone'])
    const mails = await core.database.query(
      `select data from mail_outbox where organization_id = $1 and template = 'webhook_disabled'`,
      [clinic.id],
    )
    assert.equal(mails.length, 1)
    const told = await core.database.query(
      `select payload from outbox_events where organization_id = $1 and type = 'webhook.disabled'`,
      [clinic.id],
    )
    assert.deepEqual(told, [{ payload: { webhook_uid: hook.uid, reason: 'gone' } }])
    const audited = await core.database.query(
      `select actor_type from audit_log where organization_id = $1 and action = 'webhooks.disable'`,
      [clinic.id],
    )
    assert.deepEqual(audited, [{ actor_type: 'system' }])
  })

  test('five days of failures deactivate the subscription; a success restarts the count', async () => {
    const { clinic, hook } = await sendOne((_received, response) => void response.writeHead(500).end())
    const findDead = webhookJobs.find(({ name }) => name === 'find_dead_webhooks')
    const disableDead = webhookJobs.find(({ name }) => name === 'disable_dead_webhook')
    const isActive = async () =>
      (await core.get(`/v1/webhook-subscriptions/${hook.uid}`, { as: clinic.admin })).body.data.is_active
    const runJobs = async () => {
      await findDead?.run({}, jobTools(core.worker))
      const waiting = await core.database.query<{ n: number }>(
        `select count(*)::integer as n from graphile_worker.jobs where task_identifier = 'disable_dead_webhook' and key like '%' || $1`,
        [hook.uid],
      )
      if (waiting[0]?.n) await disableDead?.run({ webhook_uid: hook.uid }, jobTools(core.worker, clinic.id))
    }
    const failAgain = async () => {
      await event(clinic)
      await core.fanOut()
      await core.deliver()
    }
    core.clock.now = new Date(core.clock.now.getTime() + 4 * DAY)
    await failAgain()
    await runJobs()
    assert.equal(await isActive(), true)
    core.clock.now = new Date(core.clock.now.getTime() + 1.1 * DAY)
    await failAgain()
    await runJobs()
    assert.equal(await isActive(), false)
    const waiting = await core.deliveriesOf(clinic, hook.uid, 'status=pending,retrying,delivering')
    assert.deepEqual(waiting, [])
    receiver.answer = (_received, response) => void response.end()
    await core.patch(`/v1/webhook-subscriptions/${hook.uid}`, { as: clinic.admin, body: { is_active: true } })
    await failAgain()
    await runJobs()
    assert.equal(await isActive(), true)
  })

  test('an endpoint that never answers delays no other, and gets four requests at a time', async () => {
    const clinic = await core.organization()
    const [dead, alive] = [path(), path()]
    const held: (() => void)[] = []
    receiver.answer = ({ path }, response) => {
      if (path === dead) held.push(() => response.end())
      else response.end()
    }
    await core.subscribe(clinic, receiver.url + dead)
    await core.subscribe(clinic, receiver.url + alive)
    for (let count = 0; count < 30; count++) await event(clinic)
    await core.fanOut()
    const round = core.newRound()
    while (receivedAt(alive).length < 30) await round()
    assert.equal(held.length, 4)
    receiver.answer = (_received, response) => void response.end()
    for (const answer of held) answer()
    while ((await round()).more) {
      // Repeat until no request is in progress.
    }
    assert.equal(receivedAt(dead).length, 30)
  })

  test('after ten failures in a row an endpoint gets one request at a time', async () => {
    const clinic = await core.organization()
    const at = path()
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    await core.subscribe(clinic, receiver.url + at)
    for (let count = 0; count < 10; count++) await event(clinic)
    await core.fanOut()
    await core.deliver()
    for (let count = 0; count < 3; count++) await event(clinic)
    await core.fanOut()
    const held: (() => void)[] = []
    receiver.answer = (_received, response) => void held.push(() => response.end())
    const round = core.newRound()
    while (held.length === 0) await round()
    for (let count = 0; count < 2; count++) await round()
    assert.equal(held.length, 1)
    receiver.answer = (_received, response) => void response.end()
    held[0]?.()
    while ((await round()).more) {
      // Repeat until no request is in progress.
    }
    assert.equal(receivedAt(at).length, 13)
  })

  test('a delivery that fails after its subscription was deactivated stays discarded', async () => {
    const clinic = await core.organization()
    const at = path()
    const held: (() => void)[] = []
    receiver.answer = (_received, response) => void held.push(() => response.writeHead(500).end())
    const hook = await core.subscribe(clinic, receiver.url + at)
    await event(clinic)
    await core.fanOut()
    const round = core.newRound()
    while (held.length === 0) await round()
    await core.patch(`/v1/webhook-subscriptions/${hook.uid}`, { as: clinic.admin, body: { is_active: false } })
    held[0]?.()
    await round.drain()
    const [delivery] = await core.deliveriesOf(clinic, hook.uid)
    assert.deepEqual([delivery.status, delivery.discard_reason], ['discarded', 'subscription_inactive'])
    assert.equal(delivery.attempts.length, 1)
  })

  test('a clinic whose endpoints all answer slowly does not delay the events of another', async () => {
    const [slow, other] = [await core.organization(), await core.organization()]
    const [held, alive] = [[] as (() => void)[], path()]
    receiver.answer = ({ path }, response) => {
      if (path === alive) response.end()
      else held.push(() => response.end())
    }
    for (let count = 0; count < 20; count++) await core.subscribe(slow, receiver.url + path())
    for (let count = 0; count < 5; count++) await event(slow)
    await core.fanOut()
    const round = core.newRound()
    await round()
    await until(() => held.length === 32)
    await core.subscribe(other, receiver.url + alive)
    await event(other)
    await core.fanOut()
    await round()
    await until(() => receivedAt(alive).length === 1)
    assert.equal(held.length, 32)
    receiver.answer = (_received, response) => void response.end()
    for (const answer of held) answer()
    while ((await round()).more) {
      // Repeat until no request is in progress.
    }
  })

  test('two workers share the deliveries and send each once', async () => {
    const clinic = await core.organization()
    const at = path()
    receiver.answer = (_received, response) => void response.end()
    await core.subscribe(clinic, receiver.url + at)
    for (let count = 0; count < 40; count++) await event(clinic)
    await core.fanOut()
    await Promise.all(
      [core.newRound(), core.newRound()].map(async (round) => {
        while ((await round()).more) {
          // Repeat until no request is in progress.
        }
      }),
    )
    await core.deliver()
    const ids = receivedAt(at).map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([ids.length, new Set(ids).size], [40, 40])
  })

  test('when the database fails as an attempt ends, the attempt is marked later and the event is not sent again', async () => {
    const clinic = await core.organization()
    const at = path()
    receiver.answer = (_received, response) => void response.end()
    const hook = await core.subscribe(clinic, receiver.url + at)
    await event(clinic)
    await core.fanOut()
    const { db } = core.worker
    let fails = false
    const tenant: typeof db.tenant = (...given) =>
      fails ? Promise.reject(new Error('no database')) : db.tenant(...given)
    const round = core.newRound({ db: Object.assign(Object.create(db), { tenant }) })
    await round()
    await until(() => receivedAt(at).length === 1)
    fails = true
    await assert.rejects(round(), /no database/)
    fails = false
    while ((await round()).more) {
      // Repeat until no request is in progress.
    }
    const [delivery] = await core.deliveriesOf(clinic, hook.uid)
    assert.equal(delivery.status, 'delivered')
    await moveOn(seconds(60))
    assert.equal(receivedAt(at).length, 1)
  })

  test('a rate limit spreads requests over seconds', async () => {
    const clinic = await core.organization()
    const at = path()
    receiver.answer = (_received, response) => void response.end()
    await core.subscribe(clinic, receiver.url + at, ['*'], { rate_limit_per_second: 2 })
    for (let count = 0; count < 5; count++) await event(clinic)
    await core.fanOut()
    await core.deliver()
    assert.equal(receivedAt(at).length, 2)
    await moveOn(seconds(1))
    assert.equal(receivedAt(at).length, 4)
    await moveOn(seconds(1))
    assert.equal(receivedAt(at).length, 5)
  })
})
