import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { portOf } from '@tendon/testing'
import pg from 'pg'
import { createServices } from '../../apps/core/src/create-services.ts'
import { sharedCore } from '../../apps/core/src/testing/core.ts'
import { tokensOf } from '../simulate/testing.ts'
import { createApi, Refused } from './api.ts'
import { patientFetch } from './patience.ts'

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  t.after(() => server.close().closeAllConnections())
  await once(server, 'listening')
  return `http://127.0.0.1:${portOf(server)}/`
}

test('a core API that answers 503 with Retry-After gets the same request again, and creates once', async (t) => {
  const usual = await sharedCore()
  const { id, admin } = await usual.organization()
  const made = createServices({ ...usual.config, STATEMENT_TIMEOUT_MS: 300 }, 'tendon_app', usual.database.url)
  const core = await sharedCore({ services: { db: made.db } })
  t.after(async () => {
    await core.close()
    await made.close()
  })
  const tokenOf = tokensOf(core, admin)
  const at = `/v1/organizations/${id}/locations`
  const count = () => createApi({ url: usual.url, tokenOf }).count(at, admin.email)
  const before = await count()
  const holder = new pg.Client({ connectionString: core.database.url })
  await holder.connect()
  await holder.query('begin; lock table locations')

  const impatient = createApi({ url: core.url, tokenOf })
  const busy = (error: unknown) => error instanceof Refused && error.status === 503
  await assert.rejects(impatient.post(at, admin.email, { name: 'Centru' }), busy)

  const waits: number[] = []
  const released: Promise<unknown>[] = []
  const onWait = (seconds: number) => {
    waits.push(seconds)
    released.push(holder.end())
  }
  const api = createApi({ url: core.url, tokenOf, fetch: patientFetch({ onWait }) })
  const { name } = await api.post(at, admin.email, { name: 'Cluj' })
  await Promise.all(released)
  assert.deepEqual([name, waits], ['Cluj', [1]])
  assert.equal(await count(), before + 1)
})

test('a POST that is sent again keeps its Idempotency-Key, its body and its other headers', async (t) => {
  const seen: { key: unknown; token: unknown; body: string }[] = []
  const url = await serve(t, async (request, response) => {
    const { 'idempotency-key': key, authorization: token } = request.headers
    seen.push({ key, token, body: await text(request) })
    const passed = new Date(Date.now() - 60_000).toUTCString()
    if (seen.length < 3) response.writeHead(seen.length === 1 ? 503 : 409, { 'retry-after': passed })
    response.end('{}')
  })
  const answer = await patientFetch()(url, { method: 'POST', headers: { authorization: 'Bearer a' }, body: '{"a":1}' })
  assert.equal(answer.status, 200)
  assert.equal(seen.length, 3)
  assert.match(String(seen[0]?.key), /^[0-9a-f-]{36}$/)
  for (const one of seen) assert.deepEqual(one, { key: seen[0]?.key, token: 'Bearer a', body: '{"a":1}' })
})

test('the waits of all requests have one bound; then the refusal is the answer', async (t) => {
  let requests = 0
  const url = await serve(t, (_request, response) => {
    requests += 1
    response.writeHead(503, { 'retry-after': '1' }).end('busy')
  })
  const send = patientFetch({ maxWaitMs: 1_500 })
  const answers = [await send(url), await send(url)]
  assert.deepEqual([...answers.map(({ status }) => status), await answers[0]?.text()], [503, 503, 'busy'])
  assert.equal(requests, 3)
})

test('a refusal without Retry-After is not repeated', async (t) => {
  let requests = 0
  const url = await serve(t, (_request, response) => {
    requests += 1
    response.writeHead(503).end()
  })
  assert.equal((await patientFetch()(url)).status, 503)
  assert.equal(requests, 1)
})
