import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bounded } from './connector.ts'
import { connectors } from './index.ts'

describe('connectors', () => {
  test('a service that does not answer is a time-out after five seconds', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const asked = bounded(new Promise(() => {}))
    mock.timers.tick(4_999)
    assert.equal(await Promise.race([asked, Promise.resolve('waiting')]), 'waiting')
    mock.timers.tick(1)
    assert.equal(await asked, 'timeout')
  })

  test('a connection without credentials is not configured', async () => {
    const services = undefined as never
    const config = { host: 'mail.clinic.example', port: 587, security: 'tls' }
    for (const slug of ['smtp', 'google_calendar']) {
      const connection = { organizationId: '', config, credentials: {} }
      assert.equal(await connectors.get(slug)?.healthcheck(connection, services), 'not_configured', slug)
    }
  })

  test('connectors of services without OAuth renew no token', async () => {
    for (const slug of ['smtp', 'inbound_webhook']) {
      const connection = { organizationId: '', config: {}, credentials: {} }
      assert.equal(await connectors.get(slug)?.refreshToken(connection, undefined as never), undefined, slug)
    }
  })
})
