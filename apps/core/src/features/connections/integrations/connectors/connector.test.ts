import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bounded } from './connector.ts'
import { connectors } from './index.ts'

describe('connectors', () => {
  test('a service that does not answer is a time-out after five seconds', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    let result: string | undefined
    const asked = bounded(new Promise(() => {})).then((error) => {
      result = error
    })
    mock.timers.tick(4_999)
    await Promise.resolve()
    assert.equal(result, undefined)
    mock.timers.tick(1)
    await asked
    assert.equal(result, 'timeout')
  })

  test('connectors of services without OAuth renew no token', async () => {
    for (const slug of ['smtp', 'inbound_webhook']) {
      const connection = { organizationId: '', config: {}, credentials: {} }
      assert.equal(await connectors.get(slug)?.refreshToken(connection, undefined as never), undefined, slug)
    }
  })
})
