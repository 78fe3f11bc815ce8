import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { readConfig } from '@tendon/config'
import { createFsStore } from '@tendon/object-store'
import { BUNNY_KEY, BUNNY_LIBRARY, type FakeBunny, portOf, startFakeBunny } from '@tendon/testing'
import { openRenderHost, openVideoHost } from '../from-config.ts'
import { openUrl, playableUrls } from '../media-urls.ts'
import { HostError, type RenderHost } from '../port.ts'
import { createBunnyClient } from './client.ts'
import { apiStatus, webhookMeaning } from './statuses.ts'
import { isWebhookSignature, isWebhookToken } from './webhook.ts'

const { signal } = new AbortController()

describe('Bunny Stream', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-bunny-'))
  const objects = createFsStore({ root: folder, publicBaseUrl: 'http://core.example', signingKey: 'k'.repeat(32) })
  let bunny: FakeBunny
  let host: RenderHost
  const configOf = (more: Record<string, string> = {}) =>
    readConfig({
      VIDEO_HOST: 'bunny',
      BUNNY_API_URL: bunny.url,
      BUNNY_LIBRARY_ID: BUNNY_LIBRARY,
      BUNNY_API_KEY: BUNNY_KEY,
      BUNNY_CDN_URL: 'https://vz.example',
      ...more,
    })
  before(async () => {
    bunny = await startFakeBunny()
    host = openRenderHost(configOf(), objects)
    writeFileSync(join(folder, 'video.mp4'), 'video')
    writeFileSync(join(folder, 'captions-en.vtt'), 'WEBVTT\n')
  })
  afterEach(() => bunny.reset())
  after(() => {
    bunny.close()
    rmSync(folder, { recursive: true })
  })
  const files = { folder, names: ['video.mp4'], captions: [{ language: 'en', name: 'captions-en.vtt' }] }

  test('Bunny Stream takes a render once: a retry finds the video, and a second upload changes nothing', async () => {
    const guid = await host.create('render-1')
    assert.equal(await host.create('render-1'), guid)
    assert.equal(await host.status(guid), 'empty')
    await host.upload(guid, files, signal)
    await host.upload(guid, files, signal)
    const video = bunny.videos.get(guid)
    assert.deepEqual([bunny.videos.size, video?.bytes, video?.captions], [1, 5, ['en', 'en']])
    await bunny.settled()
    assert.equal(await host.status(guid), 'ready')
    await host.delete(guid)
    await host.delete(guid)
    assert.equal(await host.status(guid), 'missing')
  })

  test('errors name the status and no secret, and can be tried again', async () => {
    for (const [name, status] of [
      ['tooMany', 429],
      ['broken', 500],
      ['cut', undefined],
    ] as const) {
      bunny.switches[name] = 3
      await assert.rejects(host.create('render-2'), (error) => {
        assert.ok(error instanceof HostError && !String(error.stack).includes(BUNNY_KEY))
        return error.status === status
      })
    }
    const wrong = openRenderHost(configOf({ BUNNY_API_KEY: 'another' }), objects)
    await assert.rejects(wrong.create('render-2'), (error) => error instanceof HostError && error.status === 401)
    assert.ok(await host.create('render-2'))
  })

  test('Bunny Stream that does not answer in time, redirects or names another path is refused, and the key goes nowhere else', async () => {
    const options = { apiUrl: bunny.url, libraryId: BUNNY_LIBRARY, apiKey: BUNNY_KEY }
    bunny.switches.slowMs = 2_000
    const impatient = createBunnyClient({ ...options, requestMaxMs: 50 })
    await assert.rejects(impatient.read('abc'), (error) => error instanceof HostError && error.status === undefined)
    bunny.reset()
    const reached: string[] = []
    const other = createServer((request, response) => {
      reached.push(request.url ?? '')
      response.end('{}')
    })
    let answer: [number, Record<string, string>, string] = [200, {}, '{}']
    const host2 = createServer((_request, response) => void response.writeHead(answer[0], answer[1]).end(answer[2]))
    for (const server of [other, host2]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const urlOf = (server: typeof other) => `http://127.0.0.1:${portOf(server)}`
    const client = createBunnyClient({ ...options, apiUrl: urlOf(host2) })
    for (const status of [301, 302, 307, 308]) {
      answer = [status, { location: `${urlOf(other)}/latest/meta-data` }, '']
      await assert.rejects(client.read('abc'), HostError)
      await assert.rejects(client.create('title'), HostError)
    }
    for (const guid of ['../../x', 'a/b', 'a?b', '', 'x'.repeat(65), "a'b", 5]) {
      answer = [200, {}, JSON.stringify({ guid, title: 'title', status: 4 })]
      await assert.rejects(client.create('title'), HostError, String(guid))
    }
    answer = [200, {}, `"${'x'.repeat(2 * 1024 * 1024)}"`]
    await assert.rejects(client.read('abc'), /too long/)
    for (const server of [other, host2]) server.close().closeAllConnections()
    assert.deepEqual(reached, [])
  })

  test('Bunny Stream keeps an uploaded video of an exercise playable from our store until it is transcoded', async () => {
    const videos = openVideoHost(configOf({ FFMPEG_PATH: 'none' }), objects)
    const key = 'exercise-videos/a.mp4'
    await objects.put(key, Buffer.from('video'), { contentType: 'video/mp4', maxBytes: 100 })
    const saved: string[] = []
    const saveHostReference = async (reference: string) => void saved.push(reference)
    const tools = { signal, mayUpload: true, saveHostReference }
    assert.equal(await videos.finish(key, tools), 'uploaded')
    await bunny.settled()
    const urls = await videos.finish(key, tools)
    const guid = [...bunny.videos.values()].find(({ title }) => title === key)?.guid
    assert.deepEqual(saved, [guid])
    assert.deepEqual(urls, {
      video_url: `bunny:${guid}/playlist.m3u8`,
      video_thumbnail_url: `bunny:${guid}/thumbnail.jpg`,
    })
    await videos.delete(key)
    assert.ok(!bunny.videos.has(guid ?? ''))
    await assert.rejects(videos.finish(key, { ...tools, mayUpload: false }), /lost the video repeatedly/)
    assert.equal(await objects.head(key), undefined)
  })

  test('Bunny Stream plays from its own URL, signed for the folder when there is a key', async () => {
    const now = () => new Date(1_700_000_000_000)
    const open = (more = {}) => openUrl({ config: configOf(more), objects, now }, 'bunny:abc/playlist.m3u8')
    assert.equal(await open(), 'https://vz.example/abc/playlist.m3u8')
    const signed = await open({ BUNNY_TOKEN_KEY: 'token key' })
    assert.match(
      signed ?? '',
      /^https:\/\/vz\.example\/bcdn_token=[\w-]{43}&token_path=%2Fabc%2F&expires=1700021600\/abc\/playlist\.m3u8$/,
    )
  })

  test('Bunny Stream has no playback URL when the settings no longer name it: null, never a link that leads nowhere', async () => {
    const signers = { config: readConfig({ VIDEO_HOST: 'embedded' }), objects, now: () => new Date() }
    assert.equal(await openUrl(signers, 'bunny:abc/playlist.m3u8'), null)
    const row = { video_url: 'bunny:abc/playlist.m3u8', video_thumbnail_url: 'bunny:abc/thumbnail.jpg' }
    assert.deepEqual(await playableUrls(signers, row), { video_url: null, video_thumbnail_url: null })
  })

  test('Bunny Stream has two maps of statuses: 4 is ready in both, 3 in neither', () => {
    assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 99].map(apiStatus), [
      'empty',
      'working',
      'working',
      'working',
      'ready',
      'failed',
      'failed',
      'working',
    ])
    assert.deepEqual([0, 1, 2, 3, 4, 5, 6, -1].map(webhookMeaning), [
      'progress',
      'progress',
      'progress',
      'nearly_ready',
      'ready',
      'failed',
      'unknown',
      'unknown',
    ])
  })

  test('a webhook needs exactly the token and, with a key, the signature of its bytes', () => {
    assert.ok(isWebhookToken('secret', 'secret'))
    for (const token of ['', 'Secret', 'secret ', undefined, ['secret', 'secret'], null])
      assert.equal(isWebhookToken('secret', token), false)
    const body = Buffer.from('{"Status":4}')
    const signature = createHmac('sha256', 'key').update(body).digest('hex')
    assert.ok(isWebhookSignature('key', body, signature))
    for (const wrong of [undefined, '', signature.slice(2), `00${signature.slice(2)}`, [signature]])
      assert.equal(isWebhookSignature('key', body, wrong), false)
    assert.equal(isWebhookSignature('key', Buffer.from('{"Status":5}'), signature), false)
  })
})
