import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { FFMPEG, NO_FFMPEG, soakRuns } from '@tendon/testing'
import { FilePathSource, Input, MP4 } from 'mediabunny'
import { convert } from './convert.ts'
import { createFfmpeg } from './ffmpeg.ts'

const ALL = ['0.m3u8', '0.m4s', 'master.m3u8', 'thumbnail.jpg']

describe('the program that converts videos', { skip: NO_FFMPEG }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-ffmpeg-'))
  after(() => rmSync(folder, { recursive: true }))

  /** Grey, two pictures a second. */
  function video(name: string, pixels: string, seconds: number, more = ''): string {
    const to = join(folder, name)
    const codec = name.endsWith('.webm') ? '-c:v libvpx' : '-c:v libx264 -preset ultrafast'
    const words = `-v error -f lavfi -i color=gray:size=${pixels}:rate=2:duration=${seconds} ${more} ${codec} -threads 1 ${to}`
    const made = spawnSync('ffmpeg', words.split(/ +/))
    assert.equal(made.status, 0, made.stderr.toString())
    return to
  }
  const facts = { seconds: 1, width: 64, height: 64, has_sound: false }
  const bounds = {
    ffmpeg: createFfmpeg(FFMPEG),
    mime: 'video/mp4',
    facts,
    signal: new AbortController().signal,
  }

  test('the program that converts videos opens no picture larger than is taken, whatever its header said: a small file would fill the memory', async () => {
    const to = mkdtempSync(join(folder, 'made-'))
    await assert.rejects(
      convert({ ...bounds, from: video('large.mp4', '4112x4112', 0.5), to }),
      /could not be converted/,
    )
    await convert({ ...bounds, from: video('small.mp4', '64x64', 1), to })
    assert.deepEqual(readdirSync(to).toSorted(), ALL)
  })

  test('the program that converts videos shows HDR in the colours of the scene, also in the thumbnail', async () => {
    // Grey of 18 %, filmed in HLG: 0x77 in SDR.
    const light = 'setparams=colorspace=gbr:color_primaries=bt709:color_trc=bt709:range=pc,zscale=t=linear:npl=203'
    const filmed = 'zscale=p=bt2020:t=arib-std-b67:m=bt2020nc:r=limited:npl=203,format=yuv420p10le'
    const source = `color=c=0x777777:s=64x64:d=1:r=2,format=gbrp,${light},format=gbrpf32le,${filmed}`
    const tags = '-color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc -color_range tv'
    const from = join(folder, 'hlg.mp4')
    const encoder = `-c:v libx264 -preset ultrafast ${tags}`.split(' ')
    const made = spawnSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, ...encoder, from], {
      timeout: 60_000,
    })
    assert.equal(made.status, 0, made.stderr.toString())
    const to = mkdtempSync(join(folder, 'made-'))
    await convert({ ...bounds, from, to })
    for (const name of ['0.m4s', 'thumbnail.jpg']) {
      const words = `-v error -i ${join(to, name)} -frames:v 1 -vf scale=1:1,format=rgb24 -f rawvideo -`
      const { stdout } = spawnSync('ffmpeg', words.split(' '), { timeout: 60_000 })
      const [red = 0, green = 0, blue = 0] = stdout
      for (const value of [red, green, blue]) assert.ok(Math.abs(value - 0x77) <= 8, `${name}: ${red} ${green} ${blue}`)
    }
  })

  const SOUND = '-f lavfi -i sine=duration=3 -c:a aac'
  const UNEVEN = '-fps_mode vfr -vf select='
  const SHAPES = [
    ['pictures at uneven times', 'uneven.webm', 10, `${UNEVEN}lt(n\\,2)+gt(n\\,17)`, { seconds: 10 }],
    ['a single picture', 'one.mp4', 0.5, '', { seconds: 0.5 }],
    ['a single picture', 'one.webm', 0.5, '', { seconds: 0.5 }],
    ['a single picture and more sound', 'sound.mp4', 0.5, SOUND, { seconds: 3, has_sound: true }],
    ['two pictures', 'two.mp4', 1, '', { seconds: 1 }],
    ['two pictures far apart', 'apart.mp4', 10, `${UNEVEN}not(n)+eq(n\\,19)`, { seconds: 10 }],
  ] as const
  // A single picture goes all the way in conversion.test.ts; the others are for the soak.
  for (const [what, name, seconds, more, facts] of soakRuns(1) > 1 ? SHAPES : SHAPES.slice(0, 1)) {
    test(`${what} (${name}): there is a thumbnail`, async () => {
      const to = mkdtempSync(join(folder, 'made-'))
      const mime = name.endsWith('.webm') ? 'video/webm' : 'video/mp4'
      const from = video(name, '64x64', seconds, more)
      await convert({ ...bounds, mime, from, to, facts: { ...bounds.facts, ...facts } })
      assert.deepEqual(readdirSync(to).toSorted(), ALL)
      assert.deepEqual([...readFileSync(join(to, 'thumbnail.jpg')).subarray(0, 2)], [0xff, 0xd8])
    })
  }

  test('the program that converts videos plays as long as the video that was uploaded, to the millisecond', async () => {
    const to = mkdtempSync(join(folder, 'made-'))
    const from = video('ten.mp4', '64x64', 10)
    await convert({ ...bounds, from, to, facts: { ...bounds.facts, seconds: 10 } })
    const input = new Input({ formats: [MP4], source: new FilePathSource(join(to, '0.m4s')) })
    const track = await input.getPrimaryVideoTrack()
    assert.deepEqual([await track?.getFirstTimestamp(), await track?.computeDuration()], [0, 10])
  })

  test('a video of which no picture can be made is not converted', async () => {
    const to = mkdtempSync(join(folder, 'made-'))
    const madeNothing = convert({ ...bounds, ffmpeg: createFfmpeg('true'), from: video('nothing.mp4', '64x64', 1), to })
    await assert.rejects(madeNothing, /could not be converted: it has no picture/)
  })
})
