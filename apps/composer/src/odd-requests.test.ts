import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertAnswered, assertHeaderTimeout, dripHeaders, ODD_REQUESTS, sendRaw } from '@tendon/testing'
import { startComposer, type TestComposer } from './testing.ts'

const LIMIT = Object.keys(ODD_REQUESTS).length

describe('requests that the composer refuses before a route handles them', () => {
  let composer: TestComposer
  before(async () => {
    composer = await startComposer({ env: { RATE_LIMIT_ENTRY_PER_MINUTE: String(LIMIT) } })
  })
  after(() => composer.close())

  test('is answered in the envelope with all headers, and each counts against the limit of the IP address', async () => {
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
})
