import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { hostileVideos, NO_FFMPEG, soakRuns, until } from '@tendon/testing'
import type { Person } from '../../../testing/core.ts'
import { MP4, refusedAs, startMedia, type TestMedia } from './media.testing.ts'

/** A second with sound, standing upright, as a telephone records it. */
function record(pictures = 4): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-video-'))
  const to = join(folder, 'x.mov')
  const source = '-f lavfi -i testsrc=size=48x64:rate=4:duration=1 -f lavfi -i sine=duration=1 -metadata title=Secret'
  const made = spawnSync(
    'ffmpeg',
    `-v error ${source} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -frames:v ${pictures} -c:a aac ${to}`.split(
      ' ',
    ),
  )
  assert.equal(made.status, 0, made.stderr.toString())
  const bytes = readFileSync(to)
  rmSync(folder, { recursive: true })
  return bytes
}

const lines = (bytes: Buffer) => bytes.toString().split('\n')
const addresses = (bytes: Buffer) => lines(bytes).filter((line) => line !== '' && !line.startsWith('#'))

describe('the conversion of a video', { skip: NO_FFMPEG }, () => {
  let core: TestMedia
  let admin: Person
  before(async () => {
    core = await startMedia({ FFMPEG_PATH: '', PATH: process.env.PATH ?? '' })
    admin = (await core.organization()).admin
  })
  after(() => core.close())

  const read = async (id: string) => (await core.library.read(admin, id)).body.data
  const converted = (id: string) =>
    until(async () => {
      const exercise = await read(id)
      return exercise.video_thumbnail_url === null ? undefined : exercise
    })

  test('the conversion of a video creates HLS and a thumbnail, for copies too; the last exercise that shows them deletes them', async () => {
    const { id } = await core.library.exercise(admin)
    const { objects } = core.workerServices
    const get = objects.get.bind(objects)
    const copied = Promise.withResolvers<void>()
    objects.get = async (...args) => {
      await copied.promise
      return get(...args)
    }
    const first = await core.giveVideo(admin, id, record(), 'video/quicktime')
    const original = new URL(first.video_url).pathname.replace('/v1/public/objects/', '')
    const copy = (await core.post(`/v1/exercises/${id}/clone`, { as: admin })).body.data
    assert.equal(copy.video_thumbnail_url, null, 'copied before the conversion')
    copied.resolve()
    objects.get = get
    for (const one of [id, copy.id]) {
      const { video_url, video_thumbnail_url, video_duration_seconds } = await converted(one)
      assert.equal(video_duration_seconds, first.video_duration_seconds)
      assert.match(new URL(video_url).pathname, /\/master\.m3u8$/)
      const thumbnail = await core.open(video_thumbnail_url)
      assert.deepEqual([thumbnail.headers.get('content-type'), thumbnail.bytes[0]], ['image/jpeg', 0xff])

      const master = await core.open(video_url)
      assert.deepEqual([master.status, master.headers.get('content-type')], [200, 'application/vnd.apple.mpegurl'])
      assert.equal(master.headers.get('x-content-type-options'), 'nosniff')
      const [variant, ...more] = addresses(master.bytes)
      assert.deepEqual(more, [], 'a small video has one size, its own')
      assert.match(master.bytes.toString(), /RESOLUTION=48x64/)
      const playlist = await core.open(variant ?? '')
      assert.match(lines(playlist.bytes).at(-2) ?? '', /ENDLIST/)
      const segments = addresses(playlist.bytes)
      assert.equal(new Set(segments).size, 1)
      const [, header] = /URI="([^"]+)"/.exec(playlist.bytes.toString()) ?? []
      assert.equal(header, segments[0])
      const [, length, offset] = /BYTERANGE:(\d+)@(\d+)/.exec(playlist.bytes.toString()) ?? []
      const range = `bytes=${offset}-${Number(offset) + Number(length) - 1}`
      const segment = await core.open(segments[0] ?? '', { range })
      assert.deepEqual([segment.status, segment.bytes.length], [206, Number(length)])
    }
    const kept = await core.keysAtRest(original)
    assert.deepEqual(
      kept.map((key) => key.slice(original.length)),
      ['', '/0.m3u8', '/0.m4s', '/master.m3u8', '/thumbnail.jpg'],
    )
    for (const key of kept.slice(1)) {
      const stored = await core.services.objects.get(key)
      assert.ok(stored && !Buffer.concat(await stored.body.toArray()).includes('Secret'))
    }
    assert.deepEqual(
      (await core.library.events(copy.id)).map(({ type }) => type),
      ['exercise.created', 'exercise.video_ready'],
    )
    assert.equal((await core.open((await read(id)).video_url.replace('signature=', 'signature=x'))).status, 403)
    for (const one of [id, copy.id]) await core.delete(core.videoPath(one), { as: admin })
    assert.deepEqual(await core.keysAtRest(original), [])
  })

  test('the conversion of a video of a single picture creates a thumbnail too, so that its URL works', async () => {
    const { id } = await core.library.exercise(admin)
    await core.giveVideo(admin, id, record(1), 'video/quicktime')
    const { video_url, video_thumbnail_url } = await converted(id)
    const [video, thumbnail] = [await core.open(video_url), await core.open(video_thumbnail_url)]
    assert.deepEqual([video.status, thumbnail.status, thumbnail.bytes[0]], [200, 200, 0xff])
  })

  test('that fails leaves the video as it was uploaded', async () => {
    const { id } = await core.library.exercise(admin)
    const broken = Buffer.from(MP4)
    const picture = broken.indexOf('mdat') + 4
    broken.fill(0, picture, broken.indexOf('moov') - 4)
    const { video_url } = await core.giveVideo(admin, id, broken)
    await until(() => core.workerLog.some((line) => line.includes('job failed')))
    assert.equal((await read(id)).video_thumbnail_url, null)
    assert.ok((await core.open(video_url)).bytes.equals(broken))
    assert.ok((await core.open((await read(id)).video_url)).bytes.equals(broken))
  })

  test('the conversion of a video never reads a malicious file: its upload is refused (4xx) and nothing is stored', async () => {
    const { id } = await core.library.exercise(admin)
    const before = (await core.keys()).length
    // The reader and ffmpeg get all of them in their own tests; here only in a soak.
    for (const [name, content] of Object.entries(hostileVideos()).slice(0, soakRuns(100, 3))) {
      const [status = 0, code] = refusedAs(await core.sendVideo(admin, id, content))
      assert.ok([422, 400, 415].includes(status), `${name}: ${status} ${code}`)
      assert.match(code, /^(unplayable_video|invalid_file_type|validation_failed)$/, name)
    }
    assert.equal((await read(id)).video_url, null)
    await until(async () => (await core.keys()).length === before)
  })
})

test('without ffmpeg on the machine a video is played as it was uploaded, and no job waits for ffmpeg', async (t) => {
  const core = await startMedia({ FFMPEG_PATH: '', PATH: '/nowhere' })
  t.after(() => core.close())
  const { admin } = await core.organization()
  const { id } = await core.library.exercise(admin)
  const { video_url } = await core.giveVideo(admin, id)
  const original = new URL(video_url).pathname.replace('/v1/public/objects/', '')
  assert.deepEqual(await core.keysAtRest(original), [original])
  const { data } = (await core.library.read(admin, id)).body
  assert.equal(data.video_thumbnail_url, null)
  assert.ok((await core.open(data.video_url)).bytes.equals(MP4))
  assert.deepEqual(
    core.workerLog.filter((line) => line.includes('job failed')),
    [],
  )
})
