import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { createMemoryDisk } from '../log/memory-files.testing.ts'
import { createSurroundings, gzipOf, mediaEvent, type Surroundings, send, type TestClinic } from '../testing.ts'

const ORIGIN = 'https://app.clinic.example'

describe('operating the telemetry service', () => {
  let around: Surroundings
  let clinic: TestClinic
  before(async () => {
    around = await createSurroundings()
    clinic = await around.clinic()
  })
  after(() => around.close())

  const readiness = async (url: string) => {
    const { status, body } = await send(url, 'GET', '/v1/readyz', {})
    return [status, body.status, body.checks.log]
  }
  const fullLines = (logged: readonly string[]) =>
    logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('log full'))

  test('readyz reports a full disk while pose batches are shed, until a batch is stored again', async () => {
    const disk = createMemoryDisk()
    const service = await around.start({ disk })
    const run = await clinic.newRun()
    await service.event(run, mediaEvent('session_start'))
    assert.deepEqual(await readiness(service.url), [200, 'ready', { status: 'healthy' }])
    disk.room = 0
    assert.equal((await service.pose(run, gzipOf(1))).status, 429)
    assert.deepEqual(await readiness(service.url), [
      200,
      'degraded',
      { status: 'degraded', reason: 'The disk is full. Pose batches are shed.' },
    ])
    assert.equal((await service.event(run, mediaEvent('video_played', 1))).status, 503)
    assert.deepEqual(await readiness(service.url), [
      503,
      'not_ready',
      { status: 'full', reason: 'The disk is full. Nothing can be stored.' },
    ])
    disk.room = Number.POSITIVE_INFINITY
    await until(async () => (await service.event(run, mediaEvent('video_played', 2))).status === 202)
    await until(async () => (await service.pose(run, gzipOf(2))).status === 202)
    assert.deepEqual(await readiness(service.url), [200, 'ready', { status: 'healthy' }])
    await service.stop()
  })

  test('readyz stays degraded between attempts to write, and does not stay so without traffic', async () => {
    const disk = createMemoryDisk()
    let elapsed = 0
    const service = await around.start({ disk, replaced: { elapsed: () => elapsed } })
    const run = await clinic.newRun()
    disk.room = 0
    assert.equal((await service.pose(run, gzipOf(1))).status, 429)
    elapsed += 29_000
    assert.equal((await readiness(service.url))[1], 'degraded')
    elapsed += 2_000
    assert.equal((await readiness(service.url))[1], 'ready')
    disk.room = Number.POSITIVE_INFINITY
    await service.stop()
  })

  test('readyz names the size limit of the log', async () => {
    const service = await around.start({ replaced: { maxLogBytes: 1 } })
    const run = await clinic.newRun()
    await service.event(run, mediaEvent('session_start'))
    assert.deepEqual((await readiness(service.url))[2], {
      status: 'full',
      reason: 'The log has reached TELEMETRY_LOG_MAX_MB. Nothing can be stored.',
    })
    await service.stop()
  })

  test('a full disk is logged with its reason, once a minute', async () => {
    const disk = createMemoryDisk()
    let elapsed = 0
    const service = await around.start({ disk, replaced: { elapsed: () => elapsed } })
    const run = await clinic.newRun()
    disk.room = 0
    for (let time = 0; time < 3; time += 1) {
      assert.equal((await service.pose(run, gzipOf(1))).status, 429)
      elapsed += 1_500
      around.clock.now += 1_500
    }
    const [line, ...more] = fullLines(service.logged)
    assert.deepEqual(more, [])
    assert.deepEqual([line.level, line.log, line.reason], [40, 'bulk', 'The disk is full.'])
    elapsed += 60_000
    around.clock.now += 60_000
    assert.equal((await service.pose(run, gzipOf(1))).status, 429)
    assert.deepEqual(fullLines(service.logged).length, 2)
    disk.room = Number.POSITIVE_INFINITY
    await service.stop()
  })

  describe('CORS', () => {
    const preflight = (url: string, origin: string, path = '/v1/pose/frames') =>
      send(url, 'OPTIONS', path, { origin, 'access-control-request-method': 'POST' })

    test('a listed origin may send batches with token and metadata', async () => {
      const service = await around.start({ env: { WEB_ORIGINS: ORIGIN } })
      const allowed = await preflight(service.url, ORIGIN)
      assert.equal(allowed.status, 204)
      assert.equal(allowed.headers['access-control-allow-origin'], ORIGIN)
      assert.equal(allowed.headers['access-control-allow-methods'], 'POST')
      assert.equal(allowed.headers['access-control-allow-headers'], 'Authorization, Content-Type, X-Batch-Meta')
      assert.equal(allowed.headers.vary, 'Origin')
      assert.ok(Number(allowed.headers['access-control-max-age']) > 0)
      const run = await clinic.newRun()
      const headers = {
        origin: ORIGIN,
        authorization: `Bearer ${run.token}`,
        'content-type': 'application/octet-stream',
      }
      const sent = await send(service.url, 'POST', '/v1/pose/frames', headers, gzipOf(1))
      assert.deepEqual([sent.status, sent.headers['access-control-allow-origin']], [202, ORIGIN])
      const refused = await send(service.url, 'POST', '/v1/media/events', { origin: ORIGIN })
      assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [401, ORIGIN])
      assert.match(String(refused.headers['access-control-expose-headers']), /Retry-After/)
      await service.stop()
    })

    test('another origin gets no CORS headers', async () => {
      const service = await around.start({ env: { WEB_ORIGINS: ORIGIN } })
      for (const origin of ['https://evil.example', `${ORIGIN}.evil.example`, 'null', ORIGIN.toUpperCase()]) {
        const { headers } = await preflight(service.url, origin)
        const names = Object.keys(headers).filter((name) => name.startsWith('access-control'))
        assert.deepEqual(names, [], origin)
      }
      const plain = await send(service.url, 'GET', '/v1/healthz', { origin: 'https://evil.example' })
      assert.equal(plain.headers['access-control-allow-origin'], undefined)
      await service.stop()
    })

    test('the URL of the core API is allowed by default, and OPTIONS of an unknown URL is 404', async () => {
      const service = await around.start({ env: { PUBLIC_URL: 'https://api.clinic.example/base' } })
      const allowed = await preflight(service.url, 'https://api.clinic.example')
      assert.equal(allowed.headers['access-control-allow-origin'], 'https://api.clinic.example')
      assert.equal((await preflight(service.url, ORIGIN, '/v1/nothing')).status, 404)
      await service.stop()
    })
  })

  describe('quota of an organization', () => {
    const burst = async (service: Awaited<ReturnType<Surroundings['start']>>, own: TestClinic, count: number) => {
      const runs = await Promise.all(Array.from({ length: count }, () => own.newRun()))
      const answers = await Promise.all(runs.map((run) => service.pose(run, gzipOf(1))))
      return answers.filter(({ status }) => status === 202).length
    }

    test('comes from the manifest of a run, with the setting as fallback', async () => {
      const env = { TELEMETRY_ORGANIZATION_POSE_PER_SECOND: '5' }
      const [small, other] = [await around.clinic(), await around.clinic()]
      const service = await around.start({ env })
      const withQuota = { ...small, newRun: () => small.newRun(undefined, { pose_per_second: 2, media_per_second: 1 }) }
      await service.pose(await withQuota.newRun(), gzipOf(1))
      await until(() => service.quotas.of({ organizationId: small.organizationId, runId: '' }).pose === 2)
      around.clock.now += 2_000
      assert.equal(await burst(service, withQuota, 6), 2)
      around.clock.now += 2_000
      assert.equal(await burst(service, other, 8), 5)
      await service.stop()
    })

    test('an unavailable database leaves the setting in force', async () => {
      const db = {
        tenant: () => Promise.reject(new Error('away')),
        ping: () => Promise.reject(new Error('away')),
        assertSafe: () => Promise.reject(new Error('away')),
      }
      const service = await around.start({
        env: { TELEMETRY_ORGANIZATION_POSE_PER_SECOND: '3' },
        replaced: { db },
      })
      assert.equal(await burst(service, await around.clinic(), 5), 3)
      await service.stop()
    })
  })
})
