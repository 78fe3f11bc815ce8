import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

describe('system info', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  test('system-info names the manufacturer and the device', async () => {
    const { status, body } = await core.get('/v1/public/system-info')
    assert.equal(status, 200)
    assert.equal(body.data.product, 'Tendon')
    assert.ok(body.data.manufacturer.name)
    assert.ok('udi' in body.data.device)
  })
})
