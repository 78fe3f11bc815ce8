import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { BUNNY_KEY, BUNNY_LIBRARY, type FakeBunny, NO_FFMPEG, startFakeBunny } from '@tendon/testing'
import { FfmpegFailed, openRenderHost } from '@tendon/video-host'
import { type Clinic, type Json, startComposer, type TestComposer } from '../testing.ts'
import { type AttemptTools, attemptNext } from './attempt.ts'
import { pollHost } from './backstop.ts'
import { deleteAbandoned } from './sweep.ts'

const HOUR_MS = 3_600_000

describe('a render that has to wait', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let bunny: FakeBunny
  let clinic: Clinic
  let slug: string
  let tools: AttemptTools
  let skippedMs = 0
  let seed = 0
  const now = () => new Date(Date.now() + skippedMs)
  before(async () => {
    bunny = await startFakeBunny()
    const settings = { BUNNY_API_URL: bunny.url, BUNNY_LIBRARY_ID: BUNNY_LIBRARY, BUNNY_API_KEY: BUNNY_KEY }
    const env = { VIDEO_HOST: 'bunny', BUNNY_CDN_URL: 'https://vz.example', ...settings }
    composer = await startComposer({ env, services: { now } })
    clinic = await composer.clinic()
    slug = (await composer.bundled(clinic, { without: /^audio\/ro/ })).slug
    // Without ffmpeg the worker starts no attempts; these tests start, poll and delete themselves.
    const idle = await composer.work({ ffmpeg: undefined }, { deletion: HOUR_MS, backstop: HOUR_MS, sweep: HOUR_MS })
    const sleep = async () => {}
    const host = openRenderHost(composer.config, composer.services.objects, { now: () => now().getTime(), sleep })
    tools = { ...idle.tools, services: { ...idle.tools.services, ffmpeg: composer.services.ffmpeg, host } }
  })
  beforeEach(async () => {
    bunny.reset()
    bunny.switches.silent = true
    skippedMs += 2 * HOUR_MS
    await composer.database.query(`delete from renders where status <> 'ready'`)
  })
  after(async () => {
    await composer.close()
    bunny.close()
  })

  const begin = async (): Promise<string> => {
    const { body } = await composer.compose(clinic.admin, slug, { seed: (seed += 1) })
    await composer.database.query('update renders set run_at = $2, requested_at = $2 where id = $1', [
      body.data.video_id,
      now().toISOString(),
    ])
    return body.data.video_id
  }
  const read = (id: string): Promise<Json> => composer.render(clinic.admin, id)
  const attemptsOf = async (id: string) => {
    const [row] = await composer.database.query<{ attempts: number }>('select attempts from renders where id = $1', [
      id,
    ])
    return row?.attempts
  }
  const secondsUntil = (time: string) => (new Date(time).getTime() - now().getTime()) / 1000
  const isAbout = (seconds: number, expected: number) => Math.abs(seconds - expected) < 30

  test('a render that has to wait for the host says until when, is not tried before, and does not lose an attempt', async () => {
    const id = await begin()
    assert.equal((await read(id)).waiting, null)
    for (let round = 0; round < 6; round += 1) {
      Object.assign(bunny.switches, { tooMany: 1, retryAfter: '1800' })
      assert.equal(await attemptNext(tools), true)
      const { status, waiting, error } = await read(id)
      assert.deepEqual([status, waiting?.for, error, await attemptsOf(id)], ['queued', 'host', null, 0])
      assert.ok(isAbout(secondsUntil(waiting.until), 1_800), waiting.until)
      assert.equal(await attemptNext(tools), false)
      const stream = new AbortController()
      const response = await fetch(`${composer.url}/v1/renders/${id}/events`, {
        headers: { authorization: `Bearer ${clinic.admin.token}` },
        signal: stream.signal,
      })
      const first = await response.body?.getReader().read()
      assert.match(Buffer.from(first?.value ?? []).toString(), /"waiting":\{"for":"host","until":"/)
      stream.abort()
      skippedMs += 1_801_000
    }
    assert.equal(await attemptNext(tools), true)
    const sent = await read(id)
    assert.deepEqual([sent.status, sent.waiting], ['ready', null])
  })

  test('a render that has to wait for the host after other errors says so too, within the four attempts', async () => {
    const id = await begin()
    for (const seconds of [10, 60, 600]) {
      bunny.switches.broken = 3
      await attemptNext(tools)
      const { status, waiting } = await read(id)
      assert.deepEqual([status, waiting?.for], ['queued', 'host'])
      assert.ok(Math.abs(secondsUntil(waiting.until) - seconds) < 9, waiting.until)
      skippedMs += (seconds + 1) * 1_000
    }
    bunny.switches.broken = 3
    await attemptNext(tools)
    const failed = await read(id)
    assert.deepEqual([failed.status, failed.error.code, failed.waiting], ['failed', 'host_failed', null])
  })

  test('a render that has to wait while the host transcodes is not asked about before the time that the host named', async () => {
    bunny.switches.stuck = true
    const id = await begin()
    await attemptNext(tools)
    assert.equal((await read(id)).status, 'transcoding')
    skippedMs += 901_000
    Object.assign(bunny.switches, { tooMany: 1, retryAfter: new Date(Date.now() + 1_200_000).toUTCString() })
    await pollHost(tools)
    const { waiting } = await read(id)
    assert.equal(waiting.for, 'host')
    assert.ok(isAbout(secondsUntil(waiting.until), 1_200), waiting.until)
    const asked = bunny.asked.length
    await pollHost(tools)
    await deleteAbandoned(tools)
    assert.equal(bunny.asked.length, asked)
    skippedMs += 1_231_000
    await pollHost(tools)
    assert.deepEqual([bunny.asked.length > asked, (await read(id)).waiting], [true, null])
  })

  test('a render that has to wait for room on the disk says so, is tried every minute, and is ready when there is room', async () => {
    const id = await begin()
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
    const { ffmpeg } = tools.services
    assert.ok(ffmpeg)
    const complaint = new FfmpegFailed('av_interleaved_write_frame(): No space left on device', null)
    const refusing = { ...ffmpeg, run: () => Promise.reject(complaint) }
    const disks: AttemptTools[] = [
      { ...tools, cache: { ...tools.cache, workFolder: () => Promise.reject(full) } },
      { ...tools, cache: { ...tools.cache, assertRoom: () => Promise.reject(full) } },
      { ...tools, services: { ...tools.services, ffmpeg: refusing } },
    ]
    for (const disk of [...disks, ...disks]) {
      assert.equal(await attemptNext(disk), true)
      const { status, waiting, error } = await read(id)
      assert.deepEqual([status, waiting?.for, error, await attemptsOf(id)], ['queued', 'disk', null, 0])
      assert.ok(isAbout(secondsUntil(waiting.until), 60), waiting.until)
      skippedMs += 61_000
    }
    assert.equal(await attemptNext(tools), true)
    assert.deepEqual([(await read(id)).status, (await read(id)).waiting], ['ready', null])
  })

  test('a render that has to wait for longer than a day fails with the reason', async () => {
    const id = await begin()
    skippedMs += 24 * HOUR_MS
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
    await attemptNext({ ...tools, cache: { ...tools.cache, assertRoom: () => Promise.reject(full) } })
    const { status, error } = await read(id)
    assert.deepEqual([status, error.code], ['failed', 'disk_full'])
    assert.match(error.message, /free disk space/)
  })

  test('a render that has to wait can be cancelled, and then waits for nothing', async () => {
    const id = await begin()
    Object.assign(bunny.switches, { tooMany: 1, retryAfter: '600' })
    await attemptNext(tools)
    assert.equal((await read(id)).waiting.for, 'host')
    const { body } = await composer.call('POST', `/v1/renders/${id}/cancel`, { as: clinic.admin })
    assert.deepEqual([body.data.status, body.data.waiting], ['cancelled', null])
  })
})
