import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertAnswered, ODD_REQUESTS } from '@tendon/testing'
import { createSurroundings, type Surroundings } from '../testing.ts'

describe('requests that telemetry refuses before a route handles them', () => {
  let around: Surroundings
  before(async () => {
    around = await createSurroundings()
  })
  after(() => around.close())

  test('is answered in the envelope with all headers, and counted in the metrics', async () => {
    const service = await around.start()
    for (const odd of Object.values(ODD_REQUESTS)) await assertAnswered(service.url, odd)
    const text = await service.registry.metrics()
    const counted = [...text.matchAll(/duration_seconds_count\{[^}]*route="(?:malformed|unknown)"[^}]*\} (\d+)/g)]
    const total = counted.reduce((sum, [, count]) => sum + Number(count), 0)
    assert.equal(total, Object.keys(ODD_REQUESTS).length)
    await service.stop()
  })
})
