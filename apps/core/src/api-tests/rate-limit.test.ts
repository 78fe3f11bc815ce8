import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { freePort, NO_REDIS, until } from '@tendon/testing'
import { sharedCore, startCore } from '../testing/core.ts'

const RESOLVE = '/v1/public/organizations/resolve?slug=nobody'

describe('rate limits', () => {
  test('the public resolve route allows 30 requests a minute by default and reports how many are left', async () => {
    const core = await sharedCore({ env: { RATE_LIMIT_PUBLIC_RESOLVE_PER_MINUTE: '30' } })
    for (let left = 29; left >= 0; left -= 1) {
      const answer = await core.get(RESOLVE)
      assert.equal(answer.status, 404)
      assert.equal(answer.headers.get('x-ratelimit-limit'), '30')
      assert.equal(answer.headers.get('x-ratelimit-remaining'), String(left))
    }
    const asked = Date.now() / 1000
    const refused = await core.get(RESOLVE)
    const answered = Date.now() / 1000
    assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited'])
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait >= 1 && wait <= 60)
    const reset = Number(refused.headers.get('x-ratelimit-reset'))
    const from = reset - wait // each of them is rounded up
    assert.ok(from > asked - 1 && from < answered + 1, 'reset is the unix second at which Retry-After ends')
    assert.equal((await core.get('/v1/public/system-info')).status, 200, 'other routes go on')
    await core.close()
  })

  test('all routes share the entry limit without a token; health and static files are not limited', async () => {
    const core = await sharedCore({ env: { RATE_LIMIT_ENTRY_PER_MINUTE: '3' } })
    for (const path of ['/v1/me', '/nothing-here', '/v1/organizations']) {
      assert.equal((await core.get(path)).headers.get('x-ratelimit-limit'), '3')
    }
    const refused = await core.get('/v1/me')
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '0')
    for (const path of ['/health', '/docs']) {
      const free = await core.get(path)
      assert.deepEqual([free.status, free.headers.get('x-ratelimit-limit')], [200, null], path)
    }
    await core.close()
  })

  test('a valid token counts per caller and not per IP address; failed sign-ins count per IP address', async () => {
    const setup = await sharedCore()
    const [one, other] = [await setup.signIn(), await setup.signIn()]
    const core = await sharedCore({ env: { RATE_LIMIT_ENTRY_PER_MINUTE: '2' } })
    const status = async (as: { token: string }) => (await core.get('/v1/me', { as })).status
    const forged = { token: 'forged' }
    assert.deepEqual([await status(forged), await status(forged), await status(forged)], [401, 401, 429])
    assert.equal((await core.get('/v1/me')).status, 429, 'the IP address has used up its limit')
    const first = await core.get('/v1/me', { as: one })
    assert.deepEqual([first.status, first.headers.get('x-ratelimit-remaining')], [200, '1'])
    assert.equal(await status(one), 200)
    const refused = await core.get('/v1/me', { as: one })
    assert.equal(refused.status, 429)
    assert.ok(refused.headers.get('retry-after') && refused.headers.get('x-ratelimit-reset'))
    assert.equal(await status(other), 200, 'another caller behind the same IP address')
    await core.close()
    await setup.close()
  })

  test('the callers of an organization share the limit of its plan', async () => {
    const core = await startCore({ env: { RATE_LIMIT_ORGANIZATION_PER_MINUTE: '' } })
    await core.database.query('update plans set requests_per_minute = 20 where code = $1', ['free'])
    const [clinic, neighbour] = [await core.organization(), await core.organization()]
    const colleague = await core.member(clinic, 'admin')
    const read = (as: { token: string }, { id }: { id: string }) => core.get(`/v1/organizations/${id}`, { as })
    await until(async () => (await read(clinic.admin, clinic)).headers.get('x-ratelimit-limit') === '20')
    let answer = await read(colleague, clinic)
    for (let tries = 0; tries < 20 && answer.status === 200; tries += 1) answer = await read(colleague, clinic)
    assert.deepEqual([answer.status, answer.headers.get('x-ratelimit-limit')], [429, '20'])
    assert.equal((await read(neighbour.admin, neighbour)).status, 200)
    await core.close()
  })

  test('another spelling of a URL does not escape the limits', async () => {
    const core = await sharedCore({
      env: { RATE_LIMIT_ENTRY_PER_MINUTE: '3', RATE_LIMIT_PUBLIC_RESOLVE_PER_MINUTE: '1' },
    })
    const resolve = (path: string) => core.rawCall('GET', path, {})
    assert.equal((await resolve(RESOLVE)).status, 404)
    for (const path of [RESOLVE.replace('/v1', '/%761'), `http://any.example${RESOLVE}`]) {
      const refused = await resolve(path)
      assert.deepEqual([refused.status, refused.headers.get('x-ratelimit-limit')], [429, '1'], path)
    }
    assert.equal((await core.rawCall('GET', 'http://any.example/%76%31/me', {})).status, 429)
    await core.close()
  })

  test('the addresses of one IPv6 network (/64) are one caller', async () => {
    const core = await sharedCore({ env: { RATE_LIMIT_ENTRY_PER_MINUTE: '2', TRUSTED_PROXIES: '127.0.0.1' } })
    const from = async (ip: string) => (await core.get('/v1/me', { headers: { 'x-forwarded-for': ip } })).status
    assert.equal(await from('2001:db8:0:7::1'), 401)
    assert.equal(await from('2001:DB8::7:ffff:2:3:4'), 401)
    assert.equal(await from('2001:db8:0:7:9::'), 429)
    assert.equal(await from('2001:db8:0:8::1'), 401, 'another network')
    assert.equal(await from('::1'), 401)
    assert.equal(await from('::ffff:192.0.2.1'), 401)
    assert.equal(await from('192.0.2.1'), 401, 'the same address, written otherwise')
    assert.equal(await from('192.0.2.1'), 429)
    assert.equal(await from('::ffff:192.0.2.2'), 401, 'addresses of IPv4 are not one network')
    await core.close()
  })

  test('X-Forwarded-For is believed only from configured proxies', async () => {
    const limits = { RATE_LIMIT_ENTRY_PER_MINUTE: '2' }
    const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
    const direct = await sharedCore({ env: limits })
    for (const ip of ['10.0.0.1', '10.0.0.2']) await direct.get('/v1/me', from(ip))
    assert.equal((await direct.get('/v1/me', from('10.0.0.3'))).status, 429, 'a made-up address is not another caller')
    await direct.close()

    const proxied = await sharedCore({ env: { ...limits, TRUSTED_PROXIES: '127.0.0.1' } })
    for (const ip of ['10.0.0.1', '10.0.0.1', '10.0.0.2']) await proxied.get('/v1/me', from(ip))
    assert.equal((await proxied.get('/v1/me', from('10.0.0.1'))).status, 429)
    assert.equal((await proxied.get('/v1/me', from('10.0.0.2'))).status, 401)
    await proxied.close()
  })

  test('with Redis two servers share one limit; while it does not answer, requests pass', {
    skip: NO_REDIS,
  }, async () => {
    const redis = await startRedis()
    const env = { REDIS_URL: redis.url, RATE_LIMIT_ENTRY_PER_MINUTE: '4' }
    const [one, two] = await Promise.all([sharedCore({ env }), sharedCore({ env })])
    await untilHealthy(one, 'healthy')
    await untilHealthy(two, 'healthy')
    for (const core of [one, two, one, two]) assert.equal((await core.get('/v1/me')).status, 401)
    assert.equal((await one.get('/v1/me')).status, 429)
    assert.equal((await two.get('/v1/me')).status, 429)

    await redis.stop()
    await untilHealthy(one, 'degraded')
    const open = await one.get('/v1/me')
    assert.equal(open.status, 401, 'the limiter fails open')
    assert.equal((await one.get('/health')).status, 200, 'degraded, and still serving')
    await Promise.all([one.close(), two.close()])
  })
})

const untilHealthy = (core: Awaited<ReturnType<typeof sharedCore>>, status: string) =>
  until(async () => (await core.get('/health')).body.status === status)

async function startRedis() {
  const port = await freePort()
  const dir = await mkdtemp(join(tmpdir(), 'tendon-redis-'))
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH }, // Redis does not start with a shifted clock; it gets times as durations.
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL')
      await exited
      await rm(dir, { recursive: true, force: true })
    },
  }
}
