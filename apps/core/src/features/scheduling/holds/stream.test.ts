import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { Client } from 'pg'
import { type Answer, sharedCore, startCore, type TestCore } from '../../../testing/core.ts'
import { created, holdBody, nextMonday, schedulingClinic } from '../clinic.testing.ts'

describe('streams of holds', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore({ env: { TRUSTED_PROXIES: '127.0.0.1', MAX_HOLD_STREAMS_PER_ADDRESS: '4' } })
  })
  after(() => core.close())

  let address = 0
  const newClient = () => ({ 'x-forwarded-for': `198.19.0.${++address}` })
  async function heldTime(hour = 10) {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const body = holdBody(clinic, nextMonday(hour))
    const { id } = await created(core.post('/v1/public/holds', { headers: newClient(), body }))
    return id as string
  }
  const expire = (id: string) =>
    Promise.all(
      ['holds where id', 'time_claims where hold_id'].map((table) =>
        core.database.query(`update ${table.replace(' where', ' set expires_at = clock_timestamp() where')} = $1`, [
          id,
        ]),
      ),
    )
  async function open(id: string, headers: Record<string, string> = newClient()) {
    const ending = new AbortController()
    const response = await fetch(`${core.url}/v1/public/holds/${id}/stream`, { headers, signal: ending.signal })
    return { response, close: () => ending.abort() }
  }
  const eventsOf = async (response: Response) => (await response.text()).match(/^event: .*/gm)

  test('a hold with less than a minute left sends expiring, then expired, then ends', async (t) => {
    // For this server the five minutes are almost over; for the database they are when the test says so.
    const now = () => new Date(Date.now() + 299_000)
    const ahead = await sharedCore({ services: { now } })
    t.after(() => ahead.close())
    const id = await heldTime()
    const response = await fetch(`${ahead.url}/v1/public/holds/${id}/stream`)
    let text = ''
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      if (text.includes('hold.expiring') && !text.includes('hold.expired')) await expire(id)
    }
    assert.deepEqual(text.match(/^event: .*/gm), ['event: hold.active', 'event: hold.expiring', 'event: hold.expired'])
  })

  test('a booked hold sends converted', async () => {
    const id = await heldTime()
    const { response } = await open(id)
    const events = eventsOf(response)
    const booker = { name: 'Maria', email: 'maria@mail.example' }
    await created(core.post('/v1/public/bookings', { headers: newClient(), body: { hold_id: id, booker } }))
    assert.deepEqual(await events, ['event: hold.active', 'event: hold.converted'])
  })

  test('a hold has three streams at most, and an address a limit of its own; closed ones count no more', async () => {
    const [first, second] = [await heldTime(), await heldTime()]
    const streams = await Promise.all([1, 2, 3].map(() => open(first)))
    assert.equal((await open(first)).response.status, 503)
    for (const { close } of streams) close()
    const client = newClient()
    const own = []
    for (const id of [second, second, second]) own.push(await open(id, client))
    const reopened = await until(async () => {
      const stream = await open(first, client)
      return stream.response.status === 503 ? undefined : stream
    })
    assert.equal(reopened.response.status, 200)
    const refused = await open(first, client)
    assert.deepEqual([refused.response.status, refused.response.headers.get('retry-after')], [503, '5'])
    for (const { close } of [...own, reopened]) close()
  })

  test('streams end when the server stops', async () => {
    const stopping = await startCore()
    const clinic = await schedulingClinic(stopping)
    const answer: Answer = await stopping.post('/v1/public/holds', { body: holdBody(clinic) })
    const response = await fetch(`${stopping.url}/v1/public/holds/${answer.body.data.id}/stream`)
    const events = eventsOf(response)
    await stopping.close()
    assert.deepEqual(await events, ['event: hold.active'])
  })

  test('a stream that is requested just before the server stops ends too', async () => {
    const stopping = await startCore()
    const clinic = await schedulingClinic(stopping)
    const { body }: Answer = await stopping.post('/v1/public/holds', { body: holdBody(clinic) })
    const blocker = new Client({ connectionString: stopping.database.url })
    await blocker.connect()
    await blocker.query('begin; lock table holds in access exclusive mode')
    const requested = fetch(`${stopping.url}/v1/public/holds/${body.data.id}/stream`)
    const isWaiting = async () =>
      (await blocker.query("select 1 from pg_locks where relation = 'holds'::regclass and not granted")).rowCount
    while (!(await isWaiting())) await new Promise((resolve) => setImmediate(resolve))
    const closed = stopping.app.close()
    await new Promise((resolve) => setImmediate(resolve))
    await blocker.query('rollback')
    await blocker.end()
    assert.deepEqual(await eventsOf(await requested), ['event: hold.active'])
    await closed
    await stopping.close()
  })
})
