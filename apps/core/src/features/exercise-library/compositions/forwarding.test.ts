import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { portOf } from '@tendon/testing'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

describe('requests for the composer', () => {
  const seen: IncomingMessage[] = []
  const strangers: IncomingMessage[] = []
  const listen = (requests: IncomingMessage[]) =>
    createServer((incoming, response) => {
      requests.push(incoming)
      incoming.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":"answered"}')
    })
  const [composer, stranger] = [listen(seen), listen(strangers)]
  let core: TestCore
  const originOf = (server: typeof composer) => `http://127.0.0.1:${portOf(server)}`
  before(async () => {
    for (const server of [composer, stranger])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    core = await sharedCore({ env: { COMPOSER_URL: originOf(composer) } })
  })
  after(async () => {
    await core.close()
    for (const server of [composer, stranger]) server.close().closeAllConnections()
  })

  /** Sends the target as it is; `fetch` would normalise it. */
  const send = (target: string, headers: Record<string, string> = {}, method = 'GET', body?: string) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(core.url)
      const sent = request({ hostname, port, path: target, method, headers }, async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString()
        resolve({ status: answer.statusCode, text })
      })
      sent.on('error', reject).end(body)
    })

  test('requests for the composer reach the composer with path, query and headers, and no other service', async () => {
    assert.equal((await send('/v1/renders?status=ready', { authorization: 'Bearer x' })).status, 200)
    const [arrived] = seen.splice(0)
    assert.deepEqual([arrived?.url, arrived?.headers.authorization], ['/v1/renders?status=ready', 'Bearer x'])
    for (const target of [
      `${originOf(stranger)}/v1/renders`,
      `${originOf(stranger)}/v1/renders/../../latest/meta-data`,
      `${originOf(stranger).replace('http:', '')}/v1/renders`,
      `http://user:password@${new URL(originOf(stranger)).host}/v1/renders/x`,
    ])
      assert.equal((await send(target, { authorization: 'Bearer x' })).status, 404, target)
    assert.deepEqual(
      strangers.map(({ url }) => url),
      [],
      'no request to another host',
    )
  })

  test('requests for the composer reach only its forwarded routes, however the path is written', async () => {
    seen.length = 0
    for (const path of [
      '/v1/renders/../../webhooks/videohost',
      '/v1/renders/%2e%2e/%2e%2e/health/ready',
      '/v1/renders/..%2f..%2fhealth',
      '/v1/renders/..\\..\\health',
      '/v1/exercises/compose/../../openapi.json',
      '/v1/public/renders/../../openapi.json',
    ])
      await send(path)
    const reached = seen.map(({ url }) => new URL(url ?? '/', 'http://composer').pathname)
    assert.deepEqual(
      reached.filter((path) => !/^\/v1\/(renders|public\/renders|exercises)(\/|$)/.test(path)),
      [],
    )
  })

  test('share connections: the body of one is never read as the start of another', async () => {
    seen.length = 0
    const length = { 'content-length': '20' }
    for (const method of ['GET', 'DELETE', 'POST']) {
      await send('/v1/renders/first', length, method, 'GET /health HTTP/1.1')
      for (const next of ['/v1/renders/second', '/v1/renders/third'])
        assert.equal((await send(next)).status, 200, method)
    }
    assert.deepEqual(
      [...new Set(seen.map(({ url }) => url))],
      ['/v1/renders/first', '/v1/renders/second', '/v1/renders/third'],
    )
    assert.equal(seen[0]?.headers['content-length'], undefined, 'the body of a GET is not forwarded')
  })

  test('requests for the composer cannot fake their IP address or host: the composer gets those that the core API saw', async () => {
    seen.length = 0
    await send('/v1/renders', {
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      'x-forwarded-host': 'x',
    })
    const { headers } = seen[0] ?? assert.fail('nothing arrived')
    assert.equal(headers['x-forwarded-for'], '127.0.0.1')
    assert.deepEqual([headers.forwarded, headers['x-forwarded-host']], [undefined, new URL(core.url).host])
  })
})
