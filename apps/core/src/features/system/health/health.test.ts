import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { answerClientError } from '@tendon/http'
import { portOf } from '@tendon/testing'
import pg from 'pg'
import { createServices } from '../../../create-services.ts'
import { sharedCore, startCore, type TestCore } from '../../../testing/core.ts'

describe('health', () => {
  let core: TestCore
  before(async () => {
    core = await startCore()
  })
  after(() => core.close())

  test('/health reports the database, the pool and the cache, and needs no token', async () => {
    const { status, body } = await core.get('/health')
    assert.equal(status, 200)
    assert.equal(body.status, 'healthy')
    assert.equal(body.checks.postgresql.status, 'healthy')
    assert.deepEqual(Object.keys(body.checks.postgresql.metrics), [
      'total_conns',
      'acquired_conns',
      'idle_conns',
      'max_conns',
      'utilization_pct',
    ])
    assert.deepEqual(body.checks.redis, { status: 'disabled' })
    assert.equal(typeof body.uptime_seconds, 'number')
  })

  test('/health/ready checks every dependency', async () => {
    const { status, body } = await core.get('/health/ready')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.checks), [
      'postgresql',
      'postgresql_platform',
      'redis',
      'object_store',
      'identity_provider',
    ])
  })

  test('many parallel readiness requests share one check of the dependencies', async () => {
    let asked = 0
    const objects = {
      ...core.services.objects,
      async check() {
        asked += 1
      },
    }
    const crowded = await sharedCore({ services: { objects } })
    const answers = await Promise.all(Array.from({ length: 100 }, () => crowded.get('/health/ready')))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.ok(asked < 10, `asked ${asked} times`)
    await crowded.close()
  })

  test('without its database the server says unhealthy (503), and requests get 503 with Retry-After', async () => {
    const made = createServices(core.config, 'tendon_app', 'postgres://127.0.0.1:9/none')
    const lost = await sharedCore({ services: { db: made.db } })
    const { status, body } = await lost.get('/health')
    assert.deepEqual([status, body.status, body.checks.postgresql.status], [503, 'unhealthy', 'unhealthy'])
    assert.equal((await lost.get('/health/ready')).status, 503)
    const token = await lost.issuer.sign({ sub: 'somebody' })
    const refused = await lost.get('/v1/me', { as: { token } })
    assert.deepEqual([refused.status, refused.body.error.code], [503, 'unavailable'])
    assert.ok(refused.headers.get('retry-after'))
    await made.close()
    await lost.close()
  })

  test('without its cache the server is degraded, and still answers', async () => {
    const poor = await sharedCore({ env: { REDIS_URL: 'redis://127.0.0.1:9' } })
    const { status, body } = await poor.get('/health')
    assert.deepEqual([status, body.status, body.checks.redis.status], [200, 'degraded', 'unhealthy'])
    assert.equal((await poor.get('/v1/public/system-info')).status, 200)
    await poor.close()
  })

  test('every response has a request id and security headers; a valid id from the caller is kept', async () => {
    for (const path of ['/health', '/v1/me', '/nothing', '/v1/organizations/%zz']) {
      const { headers } = await core.get(path, { headers: { 'x-request-id': 'trace-0123456789' } })
      assert.equal(headers.get('x-request-id'), 'trace-0123456789', path)
    }
    const { headers } = await core.get('/v1/me', { headers: { 'x-request-id': 'bad id; drop table' } })
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal(headers.get('x-powered-by'), null)
  })

  test('a URL that cannot be decoded is a 404 with all the headers, and counts against the limit', async () => {
    const { status, body, headers } = await core.get('/v1/organizations/%zz')
    assert.deepEqual([status, body.error.code], [404, 'not_found'])
    assert.ok(headers.get('x-ratelimit-limit') && headers.get('x-content-type-options'))
  })

  test('invalid HTTP is refused in the envelope (400); a request that does not arrive in time gets 408', async () => {
    const { port } = new URL(core.url)
    const answerTo = (bytes: string) =>
      new Promise<string>((resolve) => {
        let text = ''
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
        socket.on('data', (chunk) => {
          text += chunk
        })
        socket.on('close', () => resolve(text))
      })
    const malformed = await answerTo('HELLO\r\n\r\n')
    assert.match(malformed, /^HTTP\/1.1 400 Bad Request\r\n[^]*"code":"malformed_request"/)
    assert.match(malformed, /\r\nx-content-type-options: nosniff\r\n[^]*\r\nx-request-id: [0-9a-f-]{36}\r\n/)
    const isLate = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    const server = createServer((socket) => answerClientError(isLate, socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const late = await readText(connect(portOf(server), '127.0.0.1'))
    server.close()
    assert.match(late, /^HTTP\/1.1 408 [^]*"code":"request_timeout"/)
  })

  test('a handler that takes too long is answered 503 with Retry-After', async () => {
    const usual = await sharedCore()
    const { id, admin } = await usual.organization()
    const slow = await sharedCore({ env: { REQUEST_TIMEOUT_MS: '300' } })
    const holder = new pg.Client({ connectionString: usual.database.url })
    await holder.connect()
    await holder.query('begin; lock table locations')
    const answer = await slow.get(`/v1/organizations/${id}/locations`, { as: admin })
    await holder.end()
    assert.deepEqual(
      [answer.status, answer.body.error.code, answer.headers.get('retry-after')],
      [503, 'unavailable', '1'],
    )
    await slow.close()
  })

  test('an unknown URL is 404 and a wrong method 405 that names the right ones, both in the envelope', async () => {
    const unknown = await core.get('/v1/nothing')
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found'])
    const method = await core.delete('/v1/organizations')
    assert.deepEqual([method.status, method.body.error.code], [405, 'method_not_allowed'])
    assert.equal(method.headers.get('allow'), 'GET, POST')
  })
})
