import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { readConfig } from '@tendon/config'
import { createFsStore } from '@tendon/object-store'
import { BUNNY_KEY, BUNNY_LIBRARY, type FakeBunny, startFakeBunny } from '@tendon/testing'
import { openRenderHost } from './from-config.ts'
import { HostError, HostPaused, type RenderHost } from './port.ts'
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from './retries.ts'

const AT = Date.parse('2026-11-17T12:00:00Z')
const SECOND_MS = 1_000

test('Retry-After is read as seconds or as a date of the host, from 0 to an hour', () => {
  const read = (value: string, date?: string) =>
    parseRetryAfter(new Headers({ 'retry-after': value, ...(date ? { date } : {}) }), AT)
  assert.deepEqual(
    ['0', '30', ' 120 ', '99999999999'].map((value) => read(value)),
    [0, 30 * SECOND_MS, 120 * SECOND_MS, MAX_RETRY_AFTER_MS],
  )
  assert.equal(read('Tue, 17 Nov 2026 12:02:00 GMT'), 120 * SECOND_MS)
  assert.equal(read('Tue, 17 Nov 2026 11:00:00 GMT'), 0)
  assert.equal(read('Wed, 18 Nov 2026 12:00:00 GMT'), MAX_RETRY_AFTER_MS)
  // The host's clock is an hour behind ours.
  assert.equal(read('Tue, 17 Nov 2026 11:01:00 GMT', 'Tue, 17 Nov 2026 11:00:00 GMT'), 60 * SECOND_MS)
  for (const value of ['', 'soon', '-5', '1.5', '5 minutes', '2026-11-17']) assert.equal(read(value), undefined, value)
  assert.equal(parseRetryAfter(new Headers(), AT), undefined)
})

describe('a video host that is busy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-retries-'))
  const objects = createFsStore({ root: folder, publicBaseUrl: 'http://core.example', signingKey: 'k'.repeat(32) })
  const files = { folder, names: ['video.mp4'], captions: [] }
  const { signal } = new AbortController()
  let bunny: FakeBunny
  let host: RenderHost
  let now = AT
  let slept: number[] = []
  before(async () => {
    bunny = await startFakeBunny()
    writeFileSync(join(folder, 'video.mp4'), 'video')
  })
  beforeEach(() => {
    slept = []
    bunny.asked.length = 0
    const settings = { BUNNY_API_URL: bunny.url, BUNNY_LIBRARY_ID: BUNNY_LIBRARY, BUNNY_API_KEY: BUNNY_KEY }
    const config = readConfig({ VIDEO_HOST: 'bunny', BUNNY_CDN_URL: 'https://vz.example', ...settings })
    const sleep = async (ms: number) => {
      slept.push(ms)
      now += ms
    }
    host = openRenderHost(config, objects, { now: () => now, sleep })
  })
  afterEach(() => bunny.reset())
  after(() => {
    bunny.close()
    rmSync(folder, { recursive: true })
  })

  test('a video host that is busy for a moment is asked again twice within seconds, and gets the whole file', async () => {
    for (const name of ['tooMany', 'broken', 'cut'] as const) {
      bunny.switches[name] = 2
      const guid = await host.create(name)
      bunny.switches[name] = 2
      await host.upload(guid, files, signal)
      await bunny.settled()
      assert.deepEqual([bunny.videos.get(guid)?.bytes, await host.status(guid)], [5, 'ready'])
    }
    assert.deepEqual(slept, [250, 1_000, 250, 1_000, 250, 1_000, 250, 1_000, 250, 1_000, 250, 1_000])
    assert.equal([...bunny.videos.values()].filter(({ title }) => title === 'cut').length, 1)
  })

  test('a video host that is busy for longer, or refuses for good, is left to the caller', async () => {
    bunny.switches.broken = 100
    await assert.rejects(host.create('longer'), (error) => error instanceof HostError && error.status === 500)
    assert.deepEqual([slept, bunny.asked.length], [[250, 1_000], 3])
    bunny.reset()
    bunny.asked.length = 0
    const config = readConfig({ BUNNY_API_URL: bunny.url, BUNNY_LIBRARY_ID: BUNNY_LIBRARY, BUNNY_API_KEY: 'wrong' })
    const refused = openRenderHost({ ...config, VIDEO_HOST: 'bunny' }, objects)
    await assert.rejects(refused.create('longer'), (error) => error instanceof HostError && error.status === 401)
    assert.equal(bunny.asked.length, 1)
  })

  test('and asks to wait three seconds is asked again after three seconds', async () => {
    Object.assign(bunny.switches, { tooMany: 1, retryAfter: '3' })
    assert.ok(await host.create('three'))
    assert.deepEqual(slept, [3_000])
  })

  test('and asks to wait for minutes is left alone for that time, whatever is to be done', async () => {
    Object.assign(bunny.switches, { tooMany: 1, retryAfter: '600' })
    const waits = (ms: number) => (error: unknown) => error instanceof HostError && error.retryAfterMs === ms
    await assert.rejects(host.create('minutes'), waits(600_000))
    now += 200_000
    for (const work of [() => host.status('a'), () => host.delete('a'), () => host.upload('a', files, signal)])
      await assert.rejects(work(), (error) => error instanceof HostPaused && error.retryAfterMs === 400_000)
    assert.deepEqual([slept, bunny.asked.length], [[], 1])
    now += 400_000
    assert.ok(await host.create('minutes'))
  })
})
