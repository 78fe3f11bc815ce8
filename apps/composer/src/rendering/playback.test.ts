import assert from 'node:assert/strict'
import { createReadStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { FFMPEG, type HlsPlayer, NO_FFMPEG, NO_PLAYER, openHlsPlayer } from '@tendon/testing'
import { createFfmpeg } from '@tendon/video-host'
import { buildTimeline } from '../features/compositions/timeline-rules.ts'
import { openCache } from './cache.ts'
import { MANIFEST, makeBundle, sourceFiles } from './clips.testing.ts'
import { render } from './render.ts'

describe('a composed video in Chromium with hls.js', { skip: NO_FFMPEG || NO_PLAYER }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-playback-'))
  const made = join(folder, 'made')
  let player: HlsPlayer
  let seconds: number

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
      ffmpeg: createFfmpeg(FFMPEG),
      cache: await openCache(join(folder, 'cache')),
      read: async ({ key }) => createReadStream(key),
      folder: made,
      signal: new AbortController().signal,
    })
    seconds = rendered.seconds
    player = await openHlsPlayer(made)
  })
  after(async () => {
    await player?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a composed video in Chromium with hls.js plays to its end; its duration is right within 50 ms, and seeking across joints works', async () => {
    const { page, read } = player
    const duration = await read<number>('video.duration')
    assert.ok(Math.abs(duration - seconds) <= 0.05, `${duration} of ${seconds}`)
    await read('video.play()')
    await page.waitForFunction('video.currentTime > 0.4 && video.getVideoPlaybackQuality().totalVideoFrames > 5')
    for (const at of [2.1, 0.9, 3.4]) {
      // It may have ended meanwhile, on a busy machine.
      await read(`void (video.currentTime = ${at}, video.play())`)
      await page.waitForFunction(`!video.seeking && video.currentTime >= ${at} + 0.1 && video.readyState >= 2`)
    }
    await page.waitForFunction('video.ended')
    assert.deepEqual(await read('problems'), [])
  })

  test('offers both languages and their captions', async () => {
    const { page, read } = player
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
