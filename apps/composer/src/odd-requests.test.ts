import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertAnswered, ODD_REQUESTS, sendRaw } from '@tendon/testing'
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
})
