import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertAnswered, assertHeaderTimeout, dripHeaders, ODD_REQUESTS } from '@tendon/testing'
import { createSurroundings, type Surroundings } from '../testing.ts'

describe('requests that telemetry refuses before a route handles them', () => {
  let around: Surroundings
  before(async () => {
    around = await createSurroundings()
  })
  after(() => around.close())

  test('a request that telemetry refuses before a route handles it is answered in the envelope with all headers, and counted in the metrics', async () => {
    const service = await around.start()
    for (const odd of Object.values(ODD_REQUESTS)) await assertAnswered(service.url, odd)
    const text = await service.registry.metrics()
    const counted = [...text.matchAll(/duration_seconds_count\{[^}]*route="(?:malformed|unknown)"[^}]*\} (\d+)/g)]
    const total = counted.reduce((sum, [, count]) => sum + Number(count), 0)
    assert.equal(total, Object.keys(ODD_REQUESTS).length)
    await service.stop()
  })

  test('headers that do not arrive within 15 seconds are refused (408), however they go on', async () => {
    const [service, hasty] = [await around.start(), await around.start({ env: { HEADERS_TIMEOUT_MS: '300' } })]
    assertHeaderTimeout(service.server)
    const { status, headers, text } = await dripHeaders(hasty.url)
    assert.deepEqual([status, headers.get('connection')], [408, 'close'])
    assert.match(text, /"code":"request_timeout"/)
    await Promise.all([service.stop(), hasty.stop()])
  })
})
