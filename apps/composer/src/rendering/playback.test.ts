import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { soakRuns } from '@tendon/testing'
import { createFfmpeg } from '@tendon/video-host'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildTimeline } from '../features/compositions/timeline-rules.ts'
import { openCache } from './cache.ts'
import { MANIFEST, makeBundle, NO_FFMPEG, sourceFiles } from './clips.testing.ts'
import { render } from './render.ts'

const CHROMIUM = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
)
const NO_CHROMIUM = CHROMIUM === undefined && 'no Chromium on this machine (CHROMIUM_PATH)'
const SKIPPED = NO_FFMPEG || NO_CHROMIUM || (soakRuns(1) === 1 && 'browser tests run in the soak')
const HLS = join(dirname(createRequire(import.meta.url).resolve('hls.js')), 'hls.min.js')
const PAGE = '<video muted></video><script src="/hls.js"></script>'
const TYPES: Record<string, string> = { m3u8: 'application/vnd.apple.mpegurl', vtt: 'text/vtt', js: 'text/javascript' }

describe('a composed video in Chromium with hls.js', { skip: SKIPPED }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-playback-'))
  const made = join(folder, 'made')
  let browser: Browser
  let page: Page
  let seconds: number

  /** Files of the render, in parts. */
  function answer({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
    if (url === '/') return void response.setHeader('content-type', 'text/html').end(PAGE)
    const path = url === '/hls.js' ? HLS : join(made, url)
    const bytes = existsSync(path) ? readFileSync(path) : undefined
    if (!bytes) return void response.writeHead(404).end()
    response.setHeader('content-type', TYPES[url.split('.').at(-1) ?? ''] ?? 'video/mp4')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    if (from === undefined) return void response.end(bytes)
    response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${bytes.length}` })
    response.end(bytes.subarray(Number(from), Number(to) + 1))
  }
  const server = createServer(answer)

  before(async () => {
    mkdirSync(made)
    const names = makeBundle(join(folder, 'bundle'))
    const sets = [
      { side: 'left', reps: 10 },
      { side: 'right', reps: 5 },
    ] as const
    const timeline = buildTimeline({ manifest: MANIFEST, names, language: 'en', sets, seed: 3 })
    const files = sourceFiles(join(folder, 'bundle'), names)
    const plan = { timeline, language: 'en', files, width: 64, height: 48, form: 'hls' as const }
    const rendered = await render(plan, {
      ffmpeg: createFfmpeg('ffmpeg'),
      cache: await openCache(join(folder, 'cache')),
      read: ({ key }) => readFile(key),
      folder: made,
      signal: new AbortController().signal,
    })
    seconds = rendered.seconds
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch({ ...(CHROMIUM ? { executablePath: CHROMIUM } : {}), args: ['--no-sandbox'] })
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.evaluate(`
      globalThis.video = document.querySelector('video')
      globalThis.hls = new Hls({ enableWorker: false })
      globalThis.problems = []
      hls.on(Hls.Events.ERROR, (_, { fatal, details }) => fatal && problems.push(details))
      hls.loadSource('/master.m3u8')
      hls.attachMedia(video)
      new Promise((resolve) => video.addEventListener('canplay', resolve, { once: true }))`)
  })
  after(async () => {
    await browser?.close()
    server.close().closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })
  const read = <Value>(expression: string): Promise<Value> => page.evaluate(expression)

  test('plays to its end; its duration is right within 50 ms, and seeking across joints works', async () => {
    const duration = await read<number>('video.duration')
    assert.ok(Math.abs(duration - seconds) <= 0.05, `${duration} of ${seconds}`)
    await read('video.play()')
    await page.waitForFunction('video.currentTime > 0.4 && video.getVideoPlaybackQuality().totalVideoFrames > 5')
    for (const at of [2.1, 0.9, 3.4]) {
      await read(`video.currentTime = ${at}`)
      await page.waitForFunction(`!video.seeking && video.currentTime >= ${at} + 0.1 && video.readyState >= 2`)
    }
    await page.waitForFunction('video.ended')
    assert.deepEqual(await read('problems'), [])
  })

  test('offers both languages and their captions', async () => {
    assert.deepEqual(await read('hls.audioTracks.map(({ lang }) => lang)'), ['en', 'ro'])
    assert.deepEqual(await read('hls.subtitleTracks.map(({ lang }) => lang)'), ['en', 'ro'])
    assert.equal(await read('hls.audioTracks[hls.audioTrack].lang'), 'en')
    await read('void (hls.audioTrack = 1, hls.subtitleTrack = 1, video.currentTime = 0, video.play())')
    await page.waitForFunction(
      `[...video.textTracks].some((track) => track.language === 'ro' && track.cues?.length > 3)`,
    )
    await page.waitForFunction('hls.audioTrack === 1 && video.currentTime > 0.5')
    assert.deepEqual(await read('problems'), [])
  })
})
