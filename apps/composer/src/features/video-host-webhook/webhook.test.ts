import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  BUNNY_KEY,
  BUNNY_LIBRARY,
  type BunnySwitches,
  type FakeBunny,
  NO_FFMPEG,
  startFakeBunny,
  until,
} from '@tendon/testing'
import { refuseOpenWebhook } from '../../start-server.ts'
import { type Clinic, type Json, refusedAs, startComposer, type TestComposer } from '../../testing.ts'

const SECRET = 'the-webhook-secret'

describe('the video host', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let bunny: FakeBunny
  let clinic: Clinic
  let slug: string
  let worker: Awaited<ReturnType<TestComposer['work']>>
  let skippedMs = 0
  let seed = 0
  const now = () => new Date(Date.now() + skippedMs)

  before(async () => {
    bunny = await startFakeBunny()
    const env = {
      VIDEO_HOST: 'bunny',
      BUNNY_API_URL: bunny.url,
      BUNNY_LIBRARY_ID: BUNNY_LIBRARY,
      BUNNY_API_KEY: BUNNY_KEY,
      BUNNY_CDN_URL: 'https://vz.example',
      WEBHOOK_SECRET: SECRET,
    }
    composer = await startComposer({ env, services: { now } })
    bunny.sendWebhooksTo(`${composer.url}/webhooks/videohost?token=${SECRET}`)
    clinic = await composer.clinic()
    slug = (await composer.bundled(clinic, { without: /^audio\/ro/ })).slug
    worker = await composer.work()
  })
  beforeEach(() => bunny.reset())
  after(async () => {
    await composer.close()
    bunny.close()
  })

  const begin = async (): Promise<string> => {
    const answer = await composer.compose(clinic.admin, slug, { seed: (seed += 1) })
    assert.equal(answer.status, 202, JSON.stringify(answer.body))
    return answer.body.data.video_id
  }
  const inStatus = (id: string, status: string): Promise<Json> =>
    until(async () => {
      const found = await composer.render(clinic.admin, id)
      return found.status === status ? found : undefined
    })
  const guidOf = (id: string) => [...bunny.videos.values()].find(({ title }) => title === id)?.guid ?? ''
  const send = (guid: string, status: unknown, { query = `?token=${SECRET}`, library = Number(BUNNY_LIBRARY) } = {}) =>
    composer.call('POST', `/webhooks/videohost${query}`, {
      body: { VideoLibraryId: library, VideoGuid: guid, Status: status },
    })
  /** A render that waits for a webhook. */
  const transcoding = async () => {
    Object.assign(bunny.switches, { silent: true, stuck: true })
    const id = await begin()
    await inStatus(id, 'transcoding')
    return id
  }
  /** As if the backstop's time had passed. */
  const skip = () => {
    skippedMs += 901_000
  }

  test('the video host makes a render ready with status 4, failed with 5; 0 to 3 and unknown numbers change nothing (200)', async () => {
    const id = await transcoding()
    const guid = guidOf(id)
    for (const status of [0, 1, 2, 3, 6, 7, 99, -1]) assert.equal((await send(guid, status)).status, 200)
    assert.equal((await send(guid, 4, { library: 1 })).status, 200)
    assert.equal((await send('another-video', 4)).status, 200)
    assert.equal((await composer.render(clinic.admin, id)).status, 'transcoding')
    assert.equal((await send(guid, 4)).status, 200)
    assert.equal((await composer.render(clinic.admin, id)).status, 'ready')
    for (const late of [5, 4, 0]) assert.equal((await send(guid, late)).status, 200)
    assert.equal((await composer.render(clinic.admin, id)).status, 'ready')
    const bad = await transcoding()
    await send(guidOf(bad), 5)
    const failed = await composer.render(clinic.admin, bad)
    assert.deepEqual([failed.status, failed.error.code], ['failed', 'transcoding_failed'])
    const events = await composer.database.query<{ type: string }>(
      `select type from outbox_events where payload ->> 'render_id' = any ($1) order by type`,
      [[id, bad]],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['render.failed', 'render.ready'],
    )
  })

  test('the video host needs the token once, and exactly (401); a refused webhook changes nothing', async () => {
    const id = await transcoding()
    for (const query of [
      '',
      '?token=',
      '?token=wrong',
      `?token=${SECRET}x`,
      `?token=${SECRET}&token=${SECRET}`,
      '?Token=x',
    ])
      assert.deepEqual(refusedAs(await send(guidOf(id), 4, { query })), [401, 'unauthenticated'], query)
    assert.equal((await composer.render(clinic.admin, id)).status, 'transcoding')
    assert.ok(!composer.log.join('').includes(SECRET))
    await composer.call('POST', `/v1/renders/${id}/cancel`, { as: clinic.admin })
    await until(() => guidOf(id) === '')
  })

  test('the video host sends JSON of at most 4 KB; anything else is refused', async () => {
    const post = (body: string) => composer.call('POST', `/webhooks/videohost?token=${SECRET}`, { body })
    for (const body of ['', '{', '[]', 'null', '{"VideoGuid": 5, "Status": 4}', '{"VideoGuid": "x", "Status": "4"}'])
      assert.deepEqual(refusedAs(await post(body)), [422, 'validation_failed'], body)
    assert.equal((await post('x'.repeat(5_000))).status, 413)
  })

  test('the video host must be given a secret in production, unless it is declared open', () => {
    const production = { NODE_ENV: 'production', WEBHOOK_SECRET: '', WEBHOOK_OPEN: 'false' } as const
    assert.throws(() => refuseOpenWebhook(production), /WEBHOOK_SECRET must be set.*WEBHOOK_OPEN=true/)
    refuseOpenWebhook({ ...production, WEBHOOK_OPEN: 'true' })
    refuseOpenWebhook({ ...production, WEBHOOK_SECRET: 'x' })
    refuseOpenWebhook({ ...production, NODE_ENV: 'development' })
  })

  test('the video host is believed without a token when no secret is configured, and must sign when there is a key', async () => {
    const open = await startComposer()
    const answer = await open.call('POST', '/webhooks/videohost', {
      body: { VideoLibraryId: 1, VideoGuid: 'x', Status: 4 },
    })
    assert.deepEqual([answer.status, answer.body], [200, { received: true }])
    await open.close()
    const signed = await startComposer({ env: { BUNNY_READ_ONLY_KEY: 'read-only', WEBHOOK_SECRET: SECRET } })
    const body = JSON.stringify({ VideoLibraryId: 1, VideoGuid: 'x', Status: 4 })
    const signature = createHmac('sha256', 'read-only').update(body).digest('hex')
    const post = (headers: Record<string, string>) =>
      signed.call('POST', `/webhooks/videohost?token=${SECRET}`, { body, headers })
    assert.equal((await post({ 'x-bunnystream-signature': signature })).status, 200)
    assert.equal((await post({})).status, 401)
    assert.equal((await post({ 'x-bunnystream-signature': signature.replace(/^./, 'x') })).status, 401)
    await signed.close()
  })

  const CALM_ENDS: readonly [string, Partial<BunnySwitches>][] = [
    ['in order', {}],
    ['repeated', { repeat: true }],
    ['in the opposite order', { reorder: true }],
    ['before the upload has ended', { early: true }],
    ['after 429', { tooMany: 1 }],
  ]
  for (const [name, switches] of CALM_ENDS) {
    test(`whose webhooks come ${name} gives one ready video`, async () => {
      Object.assign(bunny.switches, switches)
      const id = await begin()
      if (switches.tooMany) {
        await until(() => bunny.switches.tooMany === 0)
        skippedMs += 11_000
      }
      const ready = await inStatus(id, 'ready')
      await bunny.settled()
      assert.match(ready.poster_url, /^https:\/\/vz\.example\/[\w-]+\/thumbnail\.jpg$/)
      assert.equal([...bunny.videos.values()].filter(({ title }) => title === id).length, 1)
      assert.deepEqual(bunny.videos.get(guidOf(id))?.captions, ['en'])
    })
  }

  const metrics = async () =>
    `${await composer.services.metrics.metrics()}${await worker.tools.services.metrics.metrics()}`
  const countIn = (text: string, name: string, labels: readonly string[]) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)

  test('the video host that never calls is asked after the backstop: ready, failed, or still at work', async () => {
    const id = await transcoding()
    const video = bunny.videos.get(guidOf(id))
    assert.ok(video)
    skip()
    await until(async () => countIn(await metrics(), 'composer_backstop_total', ['outcome="working"']) > 0)
    assert.ok((await polls(id)) > 0)
    assert.equal((await composer.render(clinic.admin, id)).status, 'transcoding')
    video.status = 4
    skip()
    await inStatus(id, 'ready')
    Object.assign(bunny.switches, { silent: true, stuck: false, encodeError: true })
    const bad = await begin()
    await inStatus(bad, 'transcoding')
    skip()
    assert.equal((await inStatus(bad, 'failed')).error.code, 'transcoding_failed')
  })
  /** How often the poll was put off. */
  const polls = async (id: string) => {
    const [row] = await composer.database.query<{ again: number }>(
      `select (extract(epoch from poll_at - transcoding_at) / 900)::int - 1 as again from renders where id = $1`,
      [id],
    )
    return row?.again ?? 0
  }

  test('the video host is asked within a minute after status 3, and gives up after four hours', async () => {
    const id = await transcoding()
    const secondsToPoll = async () => {
      const [row] = await composer.database.query<{ poll_at: Date }>('select poll_at from renders where id = $1', [id])
      return ((row?.poll_at.getTime() ?? 0) - now().getTime()) / 1000
    }
    assert.ok((await secondsToPoll()) > 800)
    await send(guidOf(id), 3)
    assert.ok((await secondsToPoll()) <= 60)
    skippedMs += 4 * 3_600_000 + 61_000
    assert.equal((await inStatus(id, 'failed')).error.code, 'transcoding_timeout')
  })

  test('the video host that forgets the video gets it again, twice at most', async () => {
    const endOf = (id: string) =>
      until(async () => {
        const found = await composer.render(clinic.admin, id)
        if (found.status === 'transcoding' || found.status === 'queued') skip()
        return found.status === 'ready' || found.status === 'failed' ? found : undefined
      })
    Object.assign(bunny.switches, { forget: true, silent: true })
    const id = await begin()
    await until(() => bunny.forgotten.has(id))
    bunny.switches.forget = false
    assert.equal((await endOf(id)).status, 'ready')
    bunny.switches.forget = true
    const lost = await begin()
    const end = await endOf(lost)
    assert.equal(end.status, 'failed')
    const [row] = await composer.database.query<{ rebuilds: number }>('select rebuilds from renders where id = $1', [
      lost,
    ])
    assert.ok((row?.rebuilds ?? 3) <= 2)
    assert.match(end.error.code, /^host_(lost_video|failed)$/)
  })

  test('the video host that fails, is cut off or slow is tried again; four failures end it', async () => {
    const endOf = (id: string) =>
      until(async () => {
        const found = await composer.render(clinic.admin, id)
        if (found.status === 'queued') skippedMs += 601_000
        return found.status === 'ready' || found.status === 'failed' ? found : undefined
      })
    Object.assign(bunny.switches, { cut: 2, slowMs: 20 })
    assert.equal((await endOf(await begin())).status, 'ready')
    assert.equal(bunny.switches.cut, 0)
    bunny.switches.broken = 1_000
    const failed = await endOf(await begin())
    assert.equal(failed.error.code, 'host_failed')
    assert.ok(!composer.log.join('').includes(BUNNY_KEY))
  })

  test('the video host deletes the video of a render that was cancelled; a ready one cannot be cancelled (409)', async () => {
    const id = await transcoding()
    const cancelled = await composer.call('POST', `/v1/renders/${id}/cancel`, { as: clinic.admin })
    assert.deepEqual([cancelled.status, cancelled.body.data.status], [200, 'cancelled'])
    await until(() => guidOf(id) === '')
    bunny.reset()
    const ready = await begin()
    await inStatus(ready, 'ready')
    const refused = await composer.call('POST', `/v1/renders/${ready}/cancel`, { as: clinic.admin })
    assert.deepEqual(refusedAs(refused), [409, 'invalid_transition'])
  })

  test('the video host that loses the video later gets it again from the cache, twice at most; then the render has failed', async () => {
    const id = await transcoding()
    for (const uploads of [2, 3]) {
      bunny.videos.delete(guidOf(id))
      skip()
      await until(() => bunny.uploads.filter((title) => title === id).length === uploads)
      await inStatus(id, 'transcoding')
    }
    bunny.videos.delete(guidOf(id))
    skip()
    assert.equal((await inStatus(id, 'failed')).error.code, 'host_lost_video')
    assert.equal(bunny.uploads.filter((title) => title === id).length, 3)
    assert.equal(guidOf(id), '')
  })

  test('the video host that refuses every poll is polled again each minute, and the render fails after four hours', async () => {
    const id = await transcoding()
    bunny.switches.broken = 1_000_000
    skip()
    await until(async () => countIn(await metrics(), 'composer_backstop_total', ['outcome="host_error"']) > 0)
    assert.equal((await composer.render(clinic.admin, id)).status, 'transcoding')
    skippedMs += 4 * 3_600_000
    assert.equal((await inStatus(id, 'failed')).error.code, 'transcoding_timeout')
  })

  test('the video host is measured: webhooks by status and outcome, what the backstop found, errors, cache and kills', async () => {
    const text = await metrics()
    const count = (name: string, ...labels: string[]) => countIn(text, name, labels)
    for (const [status, outcome] of [
      ['4', 'ready'],
      ['5', 'failed'],
      ['0', 'no_change'],
      ['3', 'no_change'],
      ['unknown', 'unknown_status'],
      ['4', 'other_library'],
      ['4', 'unknown_video'],
      ['none', 'refused'],
    ] as const)
      assert.ok(
        count('composer_webhooks_total', `status="${status}"`, `outcome="${outcome}"`) > 0,
        `${status} ${outcome}`,
      )
    for (const outcome of ['ready', 'failed', 'working', 'late', 'rebuilt', 'lost', 'host_error'])
      assert.ok(count('composer_backstop_total', `outcome="${outcome}"`) > 0, outcome)
    for (const status of ['429', '500', 'none'])
      assert.ok(count('composer_host_errors_total', `status="${status}"`) > 0, status)
    for (const hit of ['true', 'false']) assert.ok(count('composer_cache_look_ups_total', `hit="${hit}"`) > 0, hit)
    assert.match(text, /# TYPE composer_ffmpeg_kills_total counter/)
    assert.ok(count('composer_renders_total', 'outcome="transcoding_failed"') > 0)
  })
})
