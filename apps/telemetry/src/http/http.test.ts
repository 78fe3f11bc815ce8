import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { validate } from '@scalar/openapi-parser'
import { encodeBatch } from '@tendon/pose'
import {
  type Answer,
  batchOf,
  createSurroundings,
  gzipOf,
  mediaEvent,
  type Surroundings,
  send,
  type TestClinic,
  tokenOf,
} from '../testing.ts'

type Service = Awaited<ReturnType<Surroundings['start']>>

const codeOf = ({ status, body }: Answer) => `${status} ${body?.error?.code}`
const POSE = { 'content-type': 'application/octet-stream' }

describe('the telemetry service over HTTP', () => {
  let around: Surroundings
  let service: Service
  let clinic: TestClinic
  before(async () => {
    around = await createSurroundings()
    service = await around.start()
    clinic = await around.clinic()
  })
  after(async () => {
    await service.stop()
    await around.close()
  })

  test('frames get 202, and the answer has their number and position', async () => {
    const run = await clinic.newRun()
    const [one, two] = [gzipOf(1, 30), gzipOf(2, 10)]
    const first = await service.pose(run, one)
    assert.equal(first.status, 202)
    assert.deepEqual(first.body, { frames_accepted: 30, session_id: run.id, buffer_position_bytes: one.length })
    const second = await service.pose(run, two)
    assert.deepEqual(second.body, {
      frames_accepted: 10,
      session_id: run.id,
      buffer_position_bytes: one.length + two.length,
    })
  })

  test('events and views get 202; session_id in the answer is the run', async () => {
    const run = await clinic.newRun()
    const answer = await service.event(run, mediaEvent('session_start'))
    assert.equal(answer.status, 202)
    assert.deepEqual(answer.body, { status: 'accepted', session_id: run.id })
    const view = await service.view(run, { media_id: 'squat', viewed_at: '2026-11-15T09:00:00Z', duration_seconds: 4 })
    assert.equal(view.status, 202)
    assert.deepEqual(view.body, { status: 'accepted', session_id: run.id })
  })

  test('health, readiness and the OpenAPI document need no token', async () => {
    const health = await send(service.url, 'GET', '/v1/healthz', {})
    assert.deepEqual([health.status, health.body.status], [200, 'ok'])
    assert.match(health.body.version, /^\d+\.\d+\.\d+/)
    const ready = await send(service.url, 'GET', '/v1/readyz', {})
    assert.deepEqual(ready.body, {
      status: 'ready',
      checks: { log: { status: 'healthy' }, postgresql: { status: 'healthy' }, object_store: { status: 'healthy' } },
    })
    const { body } = await send(service.url, 'GET', '/v1/openapi.json', {})
    assert.deepEqual((await validate(body)).errors, [])
    assert.deepEqual(Object.keys(body.paths).sort(), [
      '/v1/healthz',
      '/v1/library/views',
      '/v1/media/events',
      '/v1/openapi.json',
      '/v1/pose/frames',
      '/v1/readyz',
    ])
    assert.deepEqual(Object.keys(body.paths['/v1/pose/frames'].post.responses), [
      '202',
      '400',
      '401',
      '403',
      '413',
      '429',
      '503',
    ])
  })

  test('every answer has a request id and the security headers', async () => {
    for (const answer of [
      await send(service.url, 'GET', '/v1/healthz', { 'x-request-id': 'my-own-id-1' }),
      await send(service.url, 'GET', '/nowhere', { 'x-request-id': 'my-own-id-1' }),
      await send(service.url, 'POST', '/v1/media/events', { 'x-request-id': 'my-own-id-1' }),
    ]) {
      assert.equal(answer.headers['x-request-id'], 'my-own-id-1')
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      assert.equal(answer.headers['cache-control'], 'no-store')
    }
    const { headers } = await send(service.url, 'GET', '/v1/healthz', { 'x-request-id': 'bad id' })
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
  })

  test('unknown URLs and methods are answered in the envelope', async () => {
    assert.equal(codeOf(await send(service.url, 'POST', '/v1/nowhere', {})), '404 not_found')
    const wrong = await send(service.url, 'GET', '/v1/pose/frames', {})
    assert.equal(codeOf(wrong), '405 method_not_allowed')
    assert.equal(wrong.headers.allow, 'POST')
    assert.equal(codeOf(await send(service.url, 'DELETE', '/v1/healthz', {})), '405 method_not_allowed')
  })

  test('every route answers 401 in the same way without a valid token', async () => {
    const run = await clinic.newRun()
    const hour = new Date(around.clock.now - 90 * 60 * 1000)
    const bad = [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${run.token.slice(0, -2)}` },
      { authorization: `Bearer ${run.token.slice(3)}` },
      { authorization: run.token },
      { authorization: `Basic ${run.token}` },
      { authorization: `Bearer ${await tokenOf(run.id, run.organizationId, true, hour)}` },
    ]
    for (const path of ['/v1/pose/frames', '/v1/media/events', '/v1/library/views']) {
      for (const headers of bad) {
        const answer = await send(service.url, 'POST', path, headers, 'x')
        assert.equal(codeOf(answer), '401 invalid_token', `${path} ${JSON.stringify(headers)}`)
        assert.equal(answer.headers['www-authenticate'], 'Bearer')
      }
    }
  })

  test('the word Bearer may be written in any case', async () => {
    const run = await clinic.newRun()
    const headers = { authorization: `bearer ${run.token}` }
    const answer = await send(
      service.url,
      'POST',
      '/v1/media/events',
      headers,
      JSON.stringify(mediaEvent('session_end')),
    )
    assert.equal(answer.status, 202)
  })

  test('a valid token expires, cached or not', async () => {
    const run = await clinic.newRun()
    assert.equal((await service.event(run, mediaEvent('session_start'))).status, 202)
    const before = around.clock.now
    around.clock.now += 90 * 60 * 1000
    assert.equal(codeOf(await service.event(run, mediaEvent('page_hidden', 1))), '401 invalid_token')
    around.clock.now = before
  })

  test('without consent frames are refused (403), events and views are not', async () => {
    const run = await clinic.newRun()
    const without = { token: await tokenOf(run.id, run.organizationId, false, new Date(around.clock.now)) }
    assert.equal(codeOf(await service.pose(without, gzipOf(1))), '403 consent_required')
    assert.equal((await service.event(without, mediaEvent('session_start'))).status, 202)
    assert.equal((await service.view(without, { media_id: 'a', viewed_at: '2026-11-15T09:00:00Z' })).status, 202)
  })

  test('an invalid batch is refused (400)', async () => {
    const good = encodeBatch(batchOf(1))
    const changed = (change: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(good)
      change(bytes)
      return gzipSync(bytes)
    }
    const bodies: Record<string, Buffer> = {
      'not gzip': Buffer.from(good),
      nothing: Buffer.alloc(0),
      'a gzip of nothing': gzipSync(Buffer.alloc(0)),
      'a cut gzip': gzipSync(good).subarray(0, -1),
      'a gzip with more after it': Buffer.concat([gzipSync(good), Buffer.from('more')]),
      'two members': Buffer.concat([gzipSync(good), gzipSync(good)]),
      'one byte too many': gzipSync(Buffer.concat([good, Buffer.alloc(1)])),
      'a lie about its frames': changed((bytes) => bytes.writeUInt32LE(4, 1)),
      'no frames': changed((bytes) => bytes.writeUInt32LE(0, 1)),
      'a number that is none': changed((bytes) => bytes.writeUInt32LE(0x7fc00000, 9)),
      'an endless number': changed((bytes) => bytes.writeUInt32LE(0xff800000, 9 + 4 * 131)),
      'times that go back': changed((bytes) => bytes.writeUInt32LE(9_999, 9 + 3 * 528)),
      'a wrong checksum': (() => {
        const zipped = gzipSync(good)
        zipped.writeUInt32LE(0, zipped.length - 8)
        return zipped
      })(),
    }
    for (const [name, body] of Object.entries(bodies)) {
      const run = await clinic.newRun()
      assert.equal(codeOf(await service.pose(run, body)), '400 malformed_batch', name)
    }
    const run = await clinic.newRun()
    const version = changed((bytes) => bytes.writeUInt8(2, 0))
    assert.equal(codeOf(await service.pose(run, version)), '400 unsupported_version')
    assert.equal(codeOf(await service.pose(run, gzipSync(gzipSync(good)))), '400 unsupported_version')
    assert.equal(codeOf(await service.pose(run, gzipOf(1), { 'content-type': 'text/plain' })), '400 malformed_batch')
    for (const encoding of ['gzip, gzip', 'br', 'deflate'])
      assert.equal(codeOf(await service.pose(run, gzipOf(1), { 'content-encoding': encoding })), '400 malformed_batch')
    assert.equal((await service.pose(run, gzipOf(1), { 'content-encoding': 'gzip' })).status, 202)
    assert.equal(service.runs.latest(run.id)?.frames, 3)
  })

  test('metadata is small JSON in the query or in a header', async () => {
    const run = await clinic.newRun()
    const meta = JSON.stringify({ camera_resolution: '1280x720', pose_confidence: { mean: 0.9 } })
    assert.equal((await service.pose(run, gzipOf(1), { 'x-batch-meta': meta })).status, 202)
    assert.equal((await service.pose(run, gzipOf(1), {}, `?meta=${encodeURIComponent(meta)}`)).status, 202)
    for (const bad of [
      '{',
      '[]',
      '1',
      '{"a":"\\u0000"}',
      '{"a":"\\ud800"}',
      '{"a":1e999}',
      JSON.stringify({ a: 'x'.repeat(2_048) }),
    ]) {
      const other = await clinic.newRun()
      assert.equal(codeOf(await service.pose(other, gzipOf(1), { 'x-batch-meta': bad })), '400 malformed_batch', bad)
      const query = `?meta=${encodeURIComponent(bad)}`
      assert.equal(codeOf(await service.pose(other, gzipOf(1), {}, query)), '400 malformed_batch', bad)
    }
  })

  test('more than 64 KB is refused (413), announced or not, and the connection is closed', async () => {
    const run = await clinic.newRun()
    const large = Buffer.alloc(65_537)
    const announced = await service.pose(run, large)
    assert.equal(codeOf(announced), '413 batch_too_large')
    assert.equal(announced.headers.connection, 'close')
    const chunked = await send(
      service.url,
      'POST',
      '/v1/pose/frames',
      { ...POSE, authorization: `Bearer ${run.token}`, 'transfer-encoding': 'chunked' },
      large,
    )
    assert.equal(codeOf(chunked), '413 batch_too_large')
    const fitting = gzipSync(encodeBatch(batchOf(1, 600)))
    assert.equal((await service.pose(run, fitting)).status, 202)
  })

  test('events of an unknown type and bodies that match no schema are refused (400)', async () => {
    const run = await clinic.newRun()
    assert.equal(codeOf(await service.event(run, { ...mediaEvent('video_played'), event: 'x' })), '400 unknown_event')
    assert.equal(
      codeOf(await service.event(run, { ...mediaEvent('video_played'), session_id: 1 })),
      '400 invalid_event',
    )
    assert.equal(
      codeOf(await service.event(run, { ...mediaEvent('video_played'), media_id: 'x'.repeat(9_000) })),
      '400 invalid_event',
    )
    assert.equal(codeOf(await service.view(run, { media_id: 'x' })), '400 invalid_event')
  })

  test('five batches at once, five a second; then 429 with Retry-After', async () => {
    const run = await clinic.newRun()
    const answers = await Promise.all(Array.from({ length: 8 }, () => service.pose(run, gzipOf(1))))
    const codes = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(codes, [202, 202, 202, 202, 202, 429, 429, 429])
    const refused = answers.find(({ status }) => status === 429)
    assert.equal(refused && codeOf(refused), '429 rate_limited')
    assert.equal(refused?.headers['retry-after'], '1')
    around.clock.now += 200
    assert.equal((await service.pose(run, gzipOf(1))).status, 202)
    assert.equal((await service.pose(run, gzipOf(1))).status, 429)
    const other = await clinic.newRun()
    assert.equal((await service.pose(other, gzipOf(1))).status, 202)
  })

  test('fifty events at once, then 429; but the first end of the session is always accepted', async () => {
    const run = await clinic.newRun()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => service.event(run, mediaEvent('video_played', at))),
    )
    assert.equal(answers.filter(({ status }) => status === 202).length, 50)
    assert.ok(answers.filter(({ status }) => status === 429).every((answer) => codeOf(answer) === '429 rate_limited'))
    assert.equal((await service.event(run, mediaEvent('session_end', 61))).status, 202)
    assert.equal((await service.event(run, mediaEvent('session_end', 62))).status, 429, 'a repeat counts')
  })

  test('a clinic above its quota is limited over all its runs, others are not', async () => {
    const busy = await around.start({
      env: { TELEMETRY_ORGANIZATION_POSE_PER_SECOND: '3', TELEMETRY_ORGANIZATION_MEDIA_PER_SECOND: '2' },
    })
    const runs = await Promise.all(Array.from({ length: 5 }, () => clinic.newRun()))
    const posed = await Promise.all(runs.map((run) => busy.pose(run, gzipOf(1))))
    assert.equal(posed.filter(({ status }) => status === 202).length, 3)
    assert.equal(posed.filter((answer) => codeOf(answer) === '429 rate_limited').length, 2)
    const events = await Promise.all(runs.map((run) => busy.event(run, mediaEvent('session_start'))))
    assert.equal(events.filter(({ status }) => status === 202).length, 2)
    const ends = await Promise.all(runs.map((run) => busy.event(run, mediaEvent('session_end', 5))))
    assert.ok(ends.every(({ status }) => status === 202))
    const neighbour = await (await around.clinic()).newRun()
    assert.equal((await busy.pose(neighbour, gzipOf(1))).status, 202)
    await busy.stop()
  })

  test('the token of one run never affects another run or its deduplication', async () => {
    const [mine, theirs] = [await clinic.newRun(), await clinic.newRun()]
    const event = { ...mediaEvent('video_played'), session_id: theirs.id, media_id: theirs.id }
    assert.deepEqual((await service.event(mine, event)).body.session_id, mine.id)
    assert.equal(service.runs.latest(theirs.id), undefined)
    assert.equal((await service.event(theirs, event)).status, 202)
    assert.equal(service.runs.latest(theirs.id)?.entries, 1)
    const elsewhere = { token: await tokenOf(mine.id, randomUUID(), true, new Date(around.clock.now)) }
    assert.equal((await service.pose(elsewhere, gzipOf(1))).status, 202)
  })

  test('after the end of a session frames_accepted is 0 and events are dropped, with 202', async () => {
    const run = await clinic.newRun()
    await service.pose(run, gzipOf(1))
    await service.event(run, mediaEvent('session_end'))
    const late = await service.pose(run, gzipOf(2))
    assert.deepEqual([late.status, late.body.frames_accepted], [202, 0])
    assert.equal((await service.event(run, mediaEvent('video_paused', 3))).status, 202)
    const metrics = await service.registry.metrics()
    for (const name of ['late_batch', 'late_event'])
      assert.match(metrics, new RegExp(`telemetry_discards_total{name="${name}",service="telemetry"} [1-9]`))
    for (const code of ['malformed_batch', 'batch_too_large', 'rate_limited', 'invalid_token', 'unknown_event'])
      assert.match(metrics, new RegExp(`http_request_duration_seconds_count{[^}]*code="${code}"[^}]*} [1-9]`))
  })

  test('the process log contains no name or number of a patient', () => {
    const lines = service.logged.join('')
    assert.doesNotMatch(lines, /v1\.ey|Bearer|Maria/)
  })
})
