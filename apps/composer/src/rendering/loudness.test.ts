import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { FFMPEG, NO_FFMPEG } from '@tendon/testing'
import { createFfmpeg } from '@tendon/video-host'
import { openCache } from './cache.ts'
import { normaliseSound } from './clips.ts'
import { gainFor, readLoudness, TARGET_LUFS } from './loudness.ts'

const TOLERANCE_LU = 0.7
const FULL_SCALE_DB = 0

/** Syllables: a tone that swells and falls four times a second, with a pause in each second. */
const speech = (seconds: number, db: number) =>
  `aevalsrc='0.5*sin(2*PI*220*t)*abs(sin(4*PI*t))*lt(mod(t,1),0.8)':s=44100:d=${seconds},volume=${db}dB`

describe('the loudness of a voice-over', { skip: NO_FFMPEG }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-loudness-'))
  after(() => rmSync(folder, { recursive: true }))

  const ffmpeg = (...words: string[]) => {
    const run = spawnSync(FFMPEG, ['-nostdin', '-hide_banner', '-y', ...words], { encoding: 'utf8', timeout: 60_000 })
    assert.equal(run.status, 0, run.stderr)
    return run.stderr
  }
  /** Measured by the summary of ebur128, repeated where the sound is short. */
  const measure = (path: string) => {
    const filter = 'aloop=loop=9:size=96000,ebur128=dualmono=true:peak=true:framelog=verbose'
    const report = ffmpeg('-i', path, '-af', filter, '-f', 'null', '-')
    const read = (name: string) => Number(new RegExp(`${name}:\\s+(-?[\\d.]+|-inf)`).exec(report)?.[1])
    return { lufs: read('I'), peakDb: read('Peak') }
  }
  async function levelled(name: string, source: string, layout = 'mono') {
    const from = join(folder, `${name}.mp3`)
    ffmpeg('-v', 'error', '-f', 'lavfi', '-i', `${source},aformat=channel_layouts=${layout}`, '-b:a', '96k', from)
    const tools = {
      ffmpeg: createFfmpeg(FFMPEG),
      cache: await openCache(join(folder, 'cache')),
      read: async ({ key }: { key: string }) => createReadStream(key),
      signal: new AbortController().signal,
    }
    const to = await normaliseSound({ name: `${name}.mp3`, sha256: name, owner: 'platform', key: from }, tools)
    return { before: measure(from), after: measure(to) }
  }
  const isLevel = (lufs: number) => Math.abs(lufs - TARGET_LUFS) <= TOLERANCE_LU

  test('the loudness of a voice-over is the same for two voices that were recorded 24 dB apart', async () => {
    const loud = await levelled('loud', speech(6, 0))
    const soft = await levelled('soft', speech(6, -24))
    assert.ok(Math.abs(loud.before.lufs - soft.before.lufs - 24) < 1, 'the recordings are 24 dB apart')
    for (const { after: made } of [loud, soft]) assert.ok(isLevel(made.lufs), `${made.lufs} LUFS`)
  })

  test('the loudness of a voice-over is the same for one word, for stereo, and for a voice that clips', async () => {
    const sources = {
      word: [speech(0.3, -20), 'mono'],
      stereo: [speech(3, -12), 'stereo'],
      clipped: [speech(3, 12), 'mono'],
    } as const
    for (const [name, [source, layout]] of Object.entries(sources)) {
      const { after: made } = await levelled(name, source, layout)
      assert.ok(isLevel(made.lufs), `${name}: ${made.lufs} LUFS`)
    }
  })

  test('the loudness of a voice-over leaves peaks below full scale, also when a click is much louder than the voice', async () => {
    const click = "aevalsrc='0.02*sin(2*PI*220*t)+0.9*lt(mod(t,1),0.0005)':s=44100:d=4"
    const { after: made } = await levelled('click', click)
    assert.ok(made.peakDb < FULL_SCALE_DB, `${made.peakDb} dB`)
  })

  test('the loudness of a voice-over of silence stays silence, and faint noise is not made loud', async () => {
    const silent = await levelled('silent', 'anullsrc=r=44100:cl=mono:d=2')
    assert.ok(!(silent.after.lufs > -69), `${silent.after.lufs} LUFS`)
    const noise = await levelled('noise', 'anoisesrc=amplitude=0.001:d=3:seed=1')
    assert.ok(noise.after.lufs < TARGET_LUFS - 6, `${noise.after.lufs} LUFS`)
  })
})

test('the gain is what is missing to the target, to a tenth of a decibel, and bounded', () => {
  const output = 'frame:1 pts:4800\nlavfi.r128.I=-70.000\nframe:2 pts:9600\nlavfi.r128.I=-28.340'
  assert.equal(readLoudness(output), -28.34)
  for (const nothing of ['', 'lavfi.r128.I=-70.000', 'lavfi.r128.I=nan']) assert.equal(readLoudness(nothing), undefined)
  assert.deepEqual([-28.34, -16, -8, -60, undefined].map(gainFor), [12.3, 0, -8, 30, 0])
})
