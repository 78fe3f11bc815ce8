import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertAnswered, assertHeaderTimeout, dripHeaders, ODD_REQUESTS, sendRaw } from '@tendon/testing'
import { sharedCore, type TestCore } from '../testing/core.ts'

const LIMIT = Object.keys(ODD_REQUESTS).length

describe('requests that the server refuses before a route handles them', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore({ env: { RATE_LIMIT_ENTRY_PER_MINUTE: String(LIMIT) } })
  })
  after(() => core.close())

  test('a request that no route handles is answered in the envelope with all headers, and each counts against the limit of the IP address', async () => {
    for (const [index, [name, odd]] of Object.entries(ODD_REQUESTS).entries()) {
      const { headers } = await assertAnswered(core.url, odd)
      assert.equal(headers.get('x-ratelimit-remaining'), String(LIMIT - index - 1), name)
    }
    const refused = await sendRaw(core.url, 'HELLO\r\n\r\n')
    assert.equal(refused.status, 429)
    assert.match(refused.text, /"code":"rate_limited"/)
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.equal((await core.get('/v1/nothing')).status, 429)
  })

  test('headers that do not arrive within 15 seconds are refused (408), however they go on', async (t) => {
    assertHeaderTimeout(core.app.server)
    const hasty = await sharedCore({ env: { HEADERS_TIMEOUT_MS: '300' } })
    t.after(() => hasty.close())
    const { status, headers, text } = await dripHeaders(hasty.url)
    assert.deepEqual([status, headers.get('connection')], [408, 'close'])
    assert.match(text, /"code":"request_timeout"/)
  })
})
