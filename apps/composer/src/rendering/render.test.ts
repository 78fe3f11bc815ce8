import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { FFMPEG, NO_FFMPEG } from '@tendon/testing'
import { createFfmpeg, type Ffmpeg } from '@tendon/video-host'
import { FilePathSource, Input, MP4 } from 'mediabunny'
import { buildTimeline } from '../features/compositions/timeline-rules.ts'
import { openCache } from './cache.ts'
import { MANIFEST, makeBundle, sourceFiles } from './clips.testing.ts'
import { BadClip, normaliseSound } from './clips.ts'
import { secondsOf } from './master-playlist.ts'
import { type RenderPlan, render } from './render.ts'

const SETS = [
  { side: 'left', reps: 15 },
  { side: 'right', reps: 5 },
] as const

describe('a rendering', { skip: NO_FFMPEG }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-rendering-'))
  after(() => rmSync(folder, { recursive: true }))
  let names: string[]
  before(() => {
    names = makeBundle(join(folder, 'bundle'))
  })

  const planOf = (more: Partial<RenderPlan> = {}): RenderPlan => ({
    timeline: buildTimeline({ manifest: MANIFEST, names, language: 'en', sets: SETS, seed: 7 }),
    language: 'en',
    files: sourceFiles(join(folder, 'bundle'), names),
    width: 64,
    height: 48,
    form: 'hls',
    ...more,
  })
  let runs = 0
  async function rendered(plan = planOf(), cacheName = 'cache', ffmpeg: Ffmpeg = createFfmpeg(FFMPEG)) {
    const to = join(folder, `made-${(runs += 1)}`)
    mkdirSync(to)
    const looks: boolean[] = []
    const tools = {
      ffmpeg,
      cache: await openCache(join(folder, cacheName), { onLookUp: (hit) => looks.push(hit) }),
      read: async ({ key }: { key: string }) => createReadStream(key),
      folder: to,
      signal: new AbortController().signal,
    }
    return { ...(await render(plan, tools)), looks }
  }
  const hashOf = ({ folder: at, names: made }: { folder: string; names: readonly string[] }) =>
    made.map((name) =>
      createHash('sha256')
        .update(readFileSync(join(at, name)))
        .digest('hex'),
    )

  test('a rendering plays every piece in order, in both languages, with captions and a poster', async () => {
    const plan = planOf()
    assert.deepEqual(
      plan.timeline.items.map(({ slot }) => slot),
      ['intro', 'rep-left', 'rep-left', 'rep-left', 'pause', 'rep-right', 'outro'],
    )
    const made = await rendered(plan)
    const text = (name: string) => readFileSync(join(made.folder, name), 'utf8')
    const video = (n: number) => (plan.timeline.items[n]?.variant === 2 ? 1.5 : 1)
    const seconds = 1 + video(1) + video(2) + video(3) + 0.5 + 1 + 0.6
    assert.ok(Math.abs(made.seconds - seconds) < 0.05, `${made.seconds} of ${seconds}`)
    assert.match(
      text('master.m3u8'),
      /TYPE=AUDIO,.*LANGUAGE="en",DEFAULT=YES.*\n.*TYPE=AUDIO,.*LANGUAGE="ro",DEFAULT=NO/,
    )
    assert.match(text('master.m3u8'), /RESOLUTION=64x48,FRAME-RATE=30.000,CODECS="avc1\.64[0-9a-f]{4},mp4a\.40\.2"/)
    const input = new Input({ formats: [MP4], source: new FilePathSource(join(made.folder, 'pictures-0.m4s')) })
    const track = await input.getPrimaryVideoTrack()
    assert.deepEqual(
      [await track?.getFirstTimestamp(), (await track?.computeDuration())?.toFixed(3)],
      [0, made.seconds.toFixed(3)],
    )
    for (const language of ['en', 'ro']) {
      assert.ok(Math.abs(secondsOf(text(`sound-${language}.m3u8`)) - made.seconds) < 0.03)
      const cues = text(`captions-${language}.vtt`).match(/-->/g) ?? []
      assert.equal(cues.length, plan.timeline.voices.length)
    }
    assert.match(text('captions-en.vtt'), /00:00:01\.100 --> 00:00:01\.900/)
    assert.deepEqual([...readFileSync(join(made.folder, 'poster.jpg')).subarray(0, 2)], [0xff, 0xd8])
  })

  test('converts each clip once; the same plan gives the same bytes, with a warm cache and with an empty one', async () => {
    const first = await rendered()
    const warm = await rendered()
    assert.ok(warm.looks.every((hit) => hit))
    // A name with characters that are special for ffmpeg.
    const cold = await rendered(planOf(), `it's 'another' %d [x];file,y\\`)
    assert.deepEqual(hashOf(warm), hashOf(first))
    assert.deepEqual(hashOf(cold), hashOf(first))
    assert.deepEqual(readdirSync(join(folder, 'cache', 'work')), [])
  })

  test('a rendering as one MP4 has pictures and sound', async () => {
    const made = await rendered(planOf({ form: 'mp4' }))
    const input = new Input({ formats: [MP4], source: new FilePathSource(join(made.folder, 'video.mp4')) })
    assert.ok(Math.abs((await input.computeDuration()) - made.seconds) < 0.05)
    assert.equal((await input.getTracks()).length, 2)
  })

  test('names the clip that cannot be used, and leaves nothing in the cache', async () => {
    const broken = join(folder, 'bundle', 'broken.mp4')
    writeFileSync(broken, readFileSync(join(folder, 'bundle', 'outro-video-1.mp4')).subarray(0, 900))
    const plan = planOf()
    const files = new Map(plan.files).set('outro-video-1.mp4', {
      name: 'outro-video-1.mp4',
      sha256: 'b'.repeat(64),
      owner: 'platform',
      key: broken,
    })
    await assert.rejects(rendered({ ...plan, files }), (error) => {
      assert.ok(error instanceof BadClip)
      return error.message === 'outro-video-1.mp4 cannot be used: it is damaged or of another format'
    })
    assert.deepEqual(readdirSync(join(folder, 'cache', 'work')), [])
  })

  test('a rendering is checked before it is published: no file is empty, short or long', async () => {
    const real = createFfmpeg(FFMPEG)
    /** Changes a file after ffmpeg joined the pieces. */
    const spoiling = (name: string, spoil: (path: string) => void): Ffmpeg => ({
      ...real,
      async run(run) {
        const output = await real.run(run)
        if (run.args.includes('concat')) spoil(join(run.writes, name))
        return output
      },
    })
    const shorten = (path: string) => {
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, text.replace(/#EXTINF:[\d.]+/, '#EXTINF:0.900000'))
    }
    const half = (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 3_000))
    const empty = (path: string) => writeFileSync(path, '')
    const spoilt = {
      'pictures-0.m4s': half,
      'pictures-0.m3u8': shorten,
      'sound-ro.m3u8': shorten,
      'sound-en.m4s': empty,
    }
    for (const [name, spoil] of Object.entries(spoilt))
      await assert.rejects(rendered(planOf(), 'cache', spoiling(name, spoil)), (error) => String(error).includes(name))
    // The last sample of the table is missing.
    const cut = (path: string) => {
      const bytes = readFileSync(path)
      const table = bytes.indexOf('stsz')
      bytes.writeUInt32BE(bytes.readUInt32BE(table + 12) - 1, table + 12)
      writeFileSync(path, bytes)
    }
    const mp4 = planOf({ form: 'mp4' })
    await assert.rejects(rendered(mp4, 'cache', spoiling('video.mp4', cut)), /RenderWrong: video\.mp4 has \d+ samples/)
  })

  test('a rendering of a clinic does not use cached files of another clinic', async () => {
    const looks: boolean[] = []
    const tools = {
      ffmpeg: createFfmpeg(FFMPEG),
      cache: await openCache(join(folder, 'owned'), { onLookUp: (hit) => looks.push(hit) }),
      read: async ({ key }: { key: string }) => createReadStream(key),
      signal: new AbortController().signal,
    }
    const file = planOf().files.get('audio/en/intro-vo-1.mp3') ?? assert.fail()
    const of = (owner: string) => normaliseSound({ ...file, owner }, tools)
    const [mine, theirs, again] = [await of('clinic-1'), await of('clinic-2'), await of('clinic-1')]
    assert.deepEqual(looks, [false, false, true])
    assert.deepEqual([mine === theirs, mine === again], [false, true])
    assert.deepEqual(readFileSync(theirs), readFileSync(mine))
  })

  test('continues when another render of the same clip is cancelled', async () => {
    const cache = await openCache(join(folder, 'shared'))
    const begun = Promise.withResolvers<void>()
    const cancelled = cache.get([['same']], 'bin', async () => {
      begun.resolve()
      await new Promise((resolve) => setImmediate(resolve))
      throw new Error('cancelled')
    })
    await begun.promise
    const [path = ''] = await Promise.all([
      cache.get([['same']], 'bin', async ([missing]) => writeFileSync(missing?.to ?? '', 'made')).then(([one]) => one),
      assert.rejects(cancelled, /cancelled/),
    ])
    assert.equal(readFileSync(path, 'utf8'), 'made')
  })

  test('sweeps what dead processes left, and the clips that nobody used for long', async () => {
    let now = new Date()
    const cache = await openCache(join(folder, 'swept'), { now: () => now })
    const make = async (missing: { to: string }[]) => missing.forEach(({ to }) => writeFileSync(to, 'x'.repeat(100)))
    const [old = ''] = await cache.get([['old']], 'bin', make)
    mkdirSync(join(folder, 'swept', 'work', '4194304-dead'))
    mkdirSync(join(folder, 'swept', 'work', `${process.pid}-1a2b3c4d-9abc`)) // of an earlier release
    const own = await cache.workFolder()
    now = new Date(now.getTime() + 3 * 60 * 60 * 1000)
    const [fresh = ''] = await cache.get([['fresh']], 'bin', make)
    assert.deepEqual(await cache.sweep(150), { bytes: 100 })
    assert.deepEqual(readdirSync(join(folder, 'swept', 'work')), [own.split('/').at(-1)])
    assert.deepEqual(readdirSync(join(folder, 'swept', 'clips')), [fresh.split('/').at(-1)])
    assert.notEqual(old, fresh)
    now = new Date(now.getTime() + 24 * 60 * 60 * 1000)
    await cache.sweep(150)
    assert.deepEqual(readdirSync(join(folder, 'swept', 'work')), [])
  })
})
