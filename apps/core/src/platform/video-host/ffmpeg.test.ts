import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { convert } from './ffmpeg.ts'

const skip = spawnSync('ffmpeg', ['-version']).status !== 0 && 'there is no ffmpeg here'

describe('the program that converts videos', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-ffmpeg-'))
  after(() => rmSync(folder, { recursive: true }))

  /** Grey, two pictures a second. */
  function video(name: string, pixels: string, seconds: number): string {
    const to = join(folder, name)
    const words = `-v error -f lavfi -i color=gray:size=${pixels}:rate=2:duration=${seconds} -c:v libx264 -preset ultrafast ${to}`
    const made = spawnSync('ffmpeg', words.split(' '))
    assert.equal(made.status, 0, made.stderr.toString())
    return to
  }
  const facts = { seconds: 1, width: 64, height: 64, has_sound: false }
  const bounds = { program: 'ffmpeg', mime: 'video/mp4', facts, signal: new AbortController().signal }

  test('opens no picture larger than is taken, whatever its header said: a small file would fill the memory', async () => {
    const to = mkdtempSync(join(folder, 'made-'))
    await assert.rejects(
      convert({ ...bounds, from: video('large.mp4', '4112x4112', 0.5), to }),
      /could not be converted/,
    )
    await convert({ ...bounds, from: video('small.mp4', '64x64', 1), to })
    assert.deepEqual(readdirSync(to).toSorted(), ['0.m3u8', '0.m4s', 'master.m3u8', 'thumbnail.jpg'])
  })
})
