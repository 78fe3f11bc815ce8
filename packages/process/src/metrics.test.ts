import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertHeaderTimeout, dripHeaders, portOf, sendRaw } from '@tendon/testing'
import { createMetrics, serveMetrics } from './metrics.ts'

describe('the server of the metrics', () => {
  test('serves them, and nothing to a request that is not valid or does not arrive in time', async (t) => {
    const server = await serveMetrics(createMetrics('test'), { HOST: '127.0.0.1', HEADERS_TIMEOUT_MS: 300 }, 0)
    t.after(() => server.close())
    const url = `http://127.0.0.1:${portOf(server)}`
    const get = (...lines: string[]) =>
      sendRaw(url, ['GET /metrics HTTP/1.1', ...lines, 'connection: close', '', ''].join('\r\n'))
    assert.equal((await get('host: x')).status, 200)
    for (const lines of [[], ['host: x', 'host: y'], ['host: x', 'content-length: 1', 'transfer-encoding: chunked']])
      assert.equal((await get(...lines)).status, 400, lines.join())
    assert.equal((await dripHeaders(url)).status, 408)
  })

  test('the server of the metrics waits at most 15 seconds for the headers', async (t) => {
    const server = await serveMetrics(createMetrics('test'), { HOST: '127.0.0.1', HEADERS_TIMEOUT_MS: 15_000 }, 0)
    t.after(() => server.close())
    assertHeaderTimeout(server)
  })
})
