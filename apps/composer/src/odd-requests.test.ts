import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import {
  assertAnswered,
  assertHeaderTimeout,
  bytesOf,
  dripHeaders,
  ODD_REQUESTS,
  openConnection,
  sendRaw,
  until,
} from '@tendon/testing'
import { MANIFEST, VTT } from './rendering/clips.testing.ts'
import { startComposer, type TestComposer } from './testing.ts'

const LIMIT = Object.keys(ODD_REQUESTS).length

describe('requests that the composer refuses before a route handles them', () => {
  let composer: TestComposer
  before(async () => {
    composer = await startComposer({ env: { RATE_LIMIT_ENTRY_PER_MINUTE: String(LIMIT) } })
  })
  after(() => composer.close())

  test('a request that no route handles is answered in the envelope with all headers, and each counts against the limit of the IP address', async () => {
    for (const [index, [name, odd]] of Object.entries(ODD_REQUESTS).entries()) {
      const { headers } = await assertAnswered(composer.url, odd)
      assert.equal(headers.get('x-ratelimit-remaining'), String(LIMIT - index - 1), name)
    }
    assert.equal((await sendRaw(composer.url, 'HELLO\r\n\r\n')).status, 429)
  })

  test('headers that do not arrive within 15 seconds are refused (408), however they go on', async (t) => {
    assertHeaderTimeout(composer.app.server)
    const hasty = await startComposer({ env: { HEADERS_TIMEOUT_MS: '300' } })
    t.after(() => hasty.close())
    const { status, headers, text } = await dripHeaders(hasty.url)
    assert.deepEqual([status, headers.get('connection')], [408, 'close'])
    assert.match(text, /"code":"request_timeout"/)
  })

  test('a request with its body has the time of every request; only a file of a bundle may take longer', async (t) => {
    assert.equal(composer.app.server.requestTimeout, composer.config.REQUEST_TIMEOUT_MS)
    const busy = await startComposer({ env: { HEADERS_TIMEOUT_MS: '300' } })
    t.after(() => busy.close())
    const { server } = busy.app
    // Node looks for late requests every 20 ms, fifteen times in the time for headers. From here on no headers are late.
    server.headersTimeout = 60_000
    const { admin, id } = await busy.clinic()
    const { slug } = await busy.exercise({ admin, id })
    const bundle = `/v1/exercises/${slug}/bundle`
    await busy.call('PUT', bundle, { as: admin, body: { ...MANIFEST, exercise: slug } })
    const stored = async () => (await readdir(busy.dataDir, { recursive: true })).length
    const before = await stored()
    const connection = openConnection(busy.url)
    t.after(() => connection.destroy())
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'text/vtt' }
    const line = `PUT ${bundle}/files/audio/en/intro-vo-1.vtt`
    const sent = bytesOf({ line, headers, body: Buffer.from(VTT) })
    connection.write(sent.subarray(0, -5))
    await until(async () => (await stored()) > before)
    const late = once(server, 'clientError')
    // Node takes the shorter of the two as the time for headers.
    server.headersTimeout = 1
    server.requestTimeout = 1
    assert.equal((await late)[0].code, 'ERR_HTTP_REQUEST_TIMEOUT')
    connection.write(sent.subarray(-5))
    const answer = await connection.receive()
    assert.ok(answer !== 'closed')
    assert.equal(answer.status, 200, answer.text)
  })
})
