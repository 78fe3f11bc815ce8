import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { NO_FFMPEG, processesWith, until } from '@tendon/testing'
import type { Ffmpeg, RenderHost } from '@tendon/video-host'
import { type Clinic, type Json, type Person, refusedAs, startComposer, type TestComposer } from '../../testing.ts'

const HOURS_MS = 3_600_000

describe('a render', { skip: NO_FFMPEG }, () => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'tendon-test-renders-'))
  let composer: TestComposer
  let clinic: Clinic
  let slug: string
  let skippedMs = 0
  before(async () => {
    composer = await startComposer({
      env: { COMPOSER_CACHE_DIR: cacheDir, REQUEST_TIMEOUT_MS: '1500', BUNNY_CDN_URL: 'https://vz.example' },
      services: { now: () => new Date(Date.now() + skippedMs) },
    })
    clinic = await composer.clinic()
    slug = (await composer.bundled(clinic, { without: /^audio\/ro/ })).slug
  })
  after(async () => {
    await composer.close()
    rmSync(cacheDir, { recursive: true, force: true })
  })

  const begin = async (seed: number): Promise<string> => {
    const { body } = await composer.compose(clinic.admin, slug, { seed })
    return body.data.video_id
  }
  /** Reads events until `wanted` returns true. */
  async function follow(as: Person, id: string, wanted: (event: Json) => boolean): Promise<Json[]> {
    const headers = { authorization: `Bearer ${as.token}` }
    const response = await fetch(`${composer.url}/v1/renders/${id}/events`, { headers })
    const seen: Json[] = []
    let text = ''
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      const events = [...text.matchAll(/^data: (.+)\n\n/gm)].map(([, data]) => JSON.parse(data ?? ''))
      for (const event of events.slice(seen.length)) {
        seen.push(event)
        if (wanted(event)) return seen
      }
    }
    return seen
  }
  const playUrl = (url: string) => url.replace(/^http:\/\/[^/]+/, composer.url)

  test('a render shows its stage while it runs, in the response and in the stream, also when it is slow', async () => {
    const { ffmpeg, host } = composer.services
    assert.ok(ffmpeg)
    const gates = new Map<string, PromiseWithResolvers<void>>(
      ['normalising', 'joining', 'uploading', 'transcoding'].map((stage) => [stage, Promise.withResolvers<void>()]),
    )
    const wait = async (stage: string) => gates.get(stage)?.promise
    const gated: Ffmpeg = {
      ...ffmpeg,
      async run(run) {
        await wait(run.args.includes('concat') ? 'joining' : 'normalising')
        return ffmpeg.run(run)
      },
    }
    const slow: RenderHost = {
      ...host,
      async upload(...args) {
        await wait('uploading')
        await host.upload(...args)
      },
      async status(...args) {
        await wait('transcoding')
        return host.status(...args)
      },
    }
    const id = await begin(1)
    assert.equal((await composer.render(clinic.admin, id)).stage, null, 'it waits')
    const worker = await composer.work({ ffmpeg: gated, host: slow })
    const seen = await follow(clinic.admin, id, ({ stage, status }) => {
      gates.get(stage)?.resolve()
      return status === 'ready'
    })
    const stages = [...new Set(seen.map(({ status, stage }) => `${status} ${stage}`))]
    assert.deepEqual(
      stages.filter((one) => one !== 'queued null' && one !== 'rendering checking'),
      ['rendering normalising', 'rendering joining', 'uploading uploading', 'transcoding transcoding', 'ready null'],
    )
    assert.ok(seen.every(({ progress }, n) => progress >= (seen[n - 1]?.progress ?? 0)))
    assert.equal((await composer.render(clinic.admin, id)).stage, null)
    await worker.stop()
  })

  test('a render plays by its signed link until the link expires (403), from the host that stores it', async () => {
    const worker = await composer.work()
    const { body } = await composer.compose(clinic.admin, slug, { seed: 1 })
    const { playback_hls_url: url, video_id: id } = body.data
    const other = await composer.composed(clinic.admin, slug, { seed: 2 })
    await worker.stop()
    assert.equal((await composer.call('GET', playUrl(url))).status, 302)
    const query = new URL(url).search
    const swapped = `${composer.url}/v1/public/renders/${other.id}/playlist.m3u8${query}`
    for (const wrong of [url.split('?')[0], `${url}0`, url.replace(/expires=\d+/, 'expires=99999999999'), swapped])
      assert.deepEqual(refusedAs(await composer.call('GET', playUrl(wrong ?? ''))), [403, 'invalid_signature'], wrong)
    await composer.database.query(`update renders set host_provider = 'bunny', host_reference = 'abc' where id = $1`, [
      other.id,
    ])
    const moved = await composer.call('GET', playUrl(other.playback_hls_url))
    assert.equal(moved.headers.get('location'), 'https://vz.example/abc/playlist.m3u8')
    assert.equal((await composer.render(clinic.admin, other.id)).poster_url, 'https://vz.example/abc/thumbnail.jpg')
    skippedMs += 6 * HOURS_MS + 1_000
    assert.deepEqual(refusedAs(await composer.call('GET', playUrl(url))), [403, 'link_expired'])
    const fresh = (await composer.render(clinic.admin, id)).playback_hls_url
    assert.equal((await composer.call('GET', playUrl(fresh))).status, 302)
  })

  test('cancelled while ffmpeg runs stops ffmpeg, and can be requested again', async () => {
    const { ffmpeg } = composer.services
    assert.ok(ffmpeg)
    const endless = `-f lavfi -i testsrc=size=64x64 -metadata comment=${cacheDir}/endless -f null -`.split(' ')
    const worker = await composer.work({ ffmpeg: { ...ffmpeg, run: (run) => ffmpeg.run({ ...run, args: endless }) } })
    const id = await begin(3)
    const running = () => processesWith(`comment=${cacheDir}/endless`).length
    await until(() => running() > 0)
    const cancelled = await composer.call('POST', `/v1/renders/${id}/cancel`, { as: clinic.admin })
    assert.deepEqual(
      [cancelled.status, cancelled.body.data.status, cancelled.body.data.stage],
      [200, 'cancelled', null],
    )
    await until(() => running() === 0)
    await worker.stop()
    const again = await composer.call('POST', `/v1/renders/${id}/cancel`, { as: clinic.admin })
    assert.deepEqual(refusedAs(again), [409, 'invalid_transition'])
    const audit = await composer.database.query<{ action: string }>(
      'select action from audit_log where target_id = $1 order by occurred_at',
      [id],
    )
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['renders.request', 'renders.cancel'],
    )
    assert.equal(await begin(3), id)
    assert.equal((await composer.render(clinic.admin, id)).status, 'queued')
    await composer.call('POST', `/v1/renders/${id}/cancel`, { as: clinic.admin })
  })

  test('a render counts against the daily quota each time it is restarted (429)', async () => {
    const id = await begin(3)
    await composer.call('POST', `/v1/renders/${id}/cancel`, { as: clinic.admin })
    await composer.database.query('update renders set requests = 200 where id = $1', [id])
    const refused = await composer.compose(clinic.admin, slug, { seed: 3 })
    assert.deepEqual([...refusedAs(refused), refused.headers.get('retry-after')], [429, 'render_quota_reached', '3600'])
    await composer.database.query(`update renders set requested_at = now() - interval '25 hours' where id = $1`, [id])
    assert.equal((await composer.compose(clinic.admin, slug, { seed: 3 })).status, 202)
    const [row] = await composer.database.query<{ requests: number }>('select requests from renders where id = $1', [
      id,
    ])
    assert.equal(row?.requests, 1)
  })

  test('a render is refused, without an internal error, for a role that may not read renders', async () => {
    for (const codes of [['exercises.compose'], ['exercises.compose', 'exercises.manage_org']]) {
      const answer = await composer.compose(await composer.member(clinic.id, codes), slug, { seed: 50 })
      assert.ok([403, 404].includes(answer.status), `${codes.join()}: ${answer.status}`)
    }
  })

  test('a render with an open stream does not delay the shutdown of the server', async () => {
    const other = await startComposer()
    const owner = await other.clinic()
    const { body } = await other.compose(owner.admin, (await other.bundled(owner)).slug)
    const headers = { authorization: `Bearer ${owner.admin.token}` }
    const stream = await fetch(`${other.url}/v1/renders/${body.data.video_id}/events`, { headers })
    const [text] = await Promise.all([stream.text(), other.close()])
    assert.match(text, /"status":"queued"/)
  })
})
