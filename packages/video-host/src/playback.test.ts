import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { FFMPEG, NO_FFMPEG, NO_PLAYER, openHlsPlayer } from '@tendon/testing'
import { convert } from './convert.ts'
import { createFfmpeg } from './ffmpeg.ts'

const SECONDS = 10
const TOLERANCE_SECONDS = 0.005

describe('an uploaded video in Chromium with hls.js', { skip: NO_FFMPEG || NO_PLAYER }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-playback-'))
  after(() => rmSync(folder, { recursive: true }))

  test('an uploaded video in Chromium with hls.js of 10.000 seconds plays for 10.000 seconds', async () => {
    const [from, to] = [join(folder, 'ten.mp4'), join(folder, 'made')]
    mkdirSync(to)
    // With B-frames, as cameras record.
    const picture = `testsrc2=size=320x180:rate=30:duration=${SECONDS}`
    const made = spawnSync(
      'ffmpeg',
      `-v error -f lavfi -i ${picture} -c:v libx264 -preset veryfast -bf 3 -pix_fmt yuv420p ${from}`.split(' '),
    )
    assert.equal(made.status, 0, made.stderr.toString())
    const facts = { seconds: SECONDS, width: 320, height: 180, has_sound: false }
    const { signal } = new AbortController()
    await convert({
      ffmpeg: createFfmpeg(FFMPEG),
      from,
      mime: 'video/mp4',
      to,
      facts,
      signal,
    })
    const { page, read, close } = await openHlsPlayer(to)
    try {
      const duration = await read<number>('video.duration')
      assert.ok(Math.abs(duration - SECONDS) <= TOLERANCE_SECONDS, `${duration} s`)
      await read('void (video.playbackRate = 4, video.play())')
      await page.waitForFunction('video.ended')
      const ended = await read<number>('video.currentTime')
      assert.ok(Math.abs(ended - SECONDS) <= TOLERANCE_SECONDS, `ended at ${ended} s`)
      assert.deepEqual(await read('problems'), [])
    } finally {
      await close()
    }
  })
})
