import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { CompositionManifest } from '@tendon/contracts'
import { hostileVideos, NO_FFMPEG, soakRuns } from '@tendon/testing'
import { MANIFEST, makeClip, VTT } from '../../rendering/clips.testing.ts'
import {
  bundle,
  type Clinic,
  type Json,
  type Person,
  refusedAs,
  startComposer,
  type TestComposer,
} from '../../testing.ts'

/** The reader and ffmpeg get all of them in their own tests; here only in a soak. */
const HOSTILE = soakRuns(100, 3)
const TYPES: Record<string, string> = { mp4: 'video/mp4', mp3: 'audio/mpeg', vtt: 'text/vtt' }

describe('a bundle', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let clinic: Clinic
  before(async () => {
    composer = await startComposer()
    clinic = await composer.clinic()
  })
  after(() => composer.close())

  const at = (slug: string) => `/v1/exercises/${slug}/bundle`
  const save = (as: Person, slug: string, more: Partial<CompositionManifest> = {}) =>
    composer.call('PUT', at(slug), { as, body: { ...MANIFEST, exercise: slug, ...more } })
  const send = (
    as: Person,
    slug: string,
    name: string,
    body: Uint8Array,
    type = TYPES[name.slice(-3)] ?? 'text/plain',
  ) => composer.call('PUT', `${at(slug)}/files/${name}`, { as, body, headers: { 'content-type': type } })
  const fileOf = (name: string) => readFileSync(join(bundle().folder, name))
  const keys = async () => (await Array.fromAsync(composer.services.objects.list('bundles/'))).length

  test('a bundle is uploaded file by file; each change creates an asset version, and its videos can be composed', async () => {
    const { slug } = await composer.exercise(clinic)
    assert.deepEqual(refusedAs(await composer.call('GET', at(slug), { as: clinic.admin })), [404, 'bundle_not_found'])
    const saved = await save(clinic.admin, slug, { languages: ['en'] })
    assert.deepEqual([saved.status, saved.body.data.asset_version], [200, 1])
    assert.deepEqual(saved.body.data.slots[0], {
      slot: 'intro',
      variants: [],
      problems: ['There is no video.', 'There is no voice-over in en.'],
      warnings: [],
    })
    const names = bundle().names.filter((name) => !name.startsWith('audio/ro'))
    let last: Json
    for (const name of names) {
      const answer = await send(clinic.admin, slug, name, fileOf(name))
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      last = answer.body.data
    }
    assert.equal(last.asset_version, 1 + names.length)
    assert.deepEqual(
      last.slots.map(({ slot, variants, problems }: Json) => [slot, variants, problems]),
      [
        ['intro', [1], []],
        ['pause', [1], []],
        ['outro', [1], []],
        ['rep-left', [1, 2], []],
        ['rep-right', [1], []],
      ],
    )
    const { stop } = await composer.work()
    const before = await composer.composed(clinic.admin, slug)
    assert.equal(before.asset_version, last.asset_version)
    const replaced = await send(clinic.admin, slug, 'outro-video-1.mp4', fileOf('pause-video-1.mp4'))
    assert.equal(replaced.body.data.asset_version, last.asset_version + 1)
    const after = await composer.composed(clinic.admin, slug)
    assert.notEqual(after.id, before.id)
    await stop()
    const file = `${at(slug)}/files/outro-video-1.mp4`
    assert.equal((await composer.call('DELETE', file, { as: clinic.admin })).status, 204)
    assert.deepEqual(refusedAs(await composer.call('DELETE', file, { as: clinic.admin })), [
      404,
      'bundle_file_not_found',
    ])
    assert.deepEqual(refusedAs(await composer.compose(clinic.admin, slug)), [422, 'variants_missing'])
  })

  test('a bundle accepts only the file names of the specification, with matching type and content', async () => {
    const { slug } = await composer.exercise(clinic)
    await save(clinic.admin, slug)
    const mp4 = fileOf('intro-video-1.mp4')
    const names =
      'intro.mp4 intro-video-0.mp4 intro-video-1.mov other-video-1.mp4 audio/en/intro-video-1.mp4 audio/EN/intro-vo-1.mp3 ' +
      'audio/en/x/intro-vo-1.mp3 ..%2f..%2fintro-video-1.mp4 manifest.json'
    for (const name of names.split(' '))
      assert.deepEqual(
        refusedAs(await send(clinic.admin, slug, name, mp4, 'video/mp4')),
        [422, 'validation_failed'],
        name,
      )
    const wrong = await send(clinic.admin, slug, 'intro-video-1.mp4', mp4, 'audio/mpeg')
    assert.deepEqual(refusedAs(wrong), [415, 'unsupported_media_type'])
    const mp3 = 'audio/en/intro-vo-1.mp3'
    const vtt = 'audio/en/intro-vo-1.vtt'
    const unusable: [string, Uint8Array][] = [
      ['intro-video-1.mp4', mp4.subarray(0, 900)],
      ['intro-video-1.mp4', Buffer.from('#EXTM3U\nhttp://127.0.0.1:1/a.ts\n')],
      ['intro-video-1.mp4', Buffer.alloc(0)],
      [mp3, mp4],
      [mp3, Buffer.from('ffconcat version 1.0\nfile /etc/passwd\n')],
      [mp3, Buffer.concat([Buffer.from('ID3'), Buffer.alloc(2_000)])],
      [mp3, Buffer.alloc(2_000, 0xff)],
      [vtt, Buffer.from('<script>alert(1)</script>')],
      [vtt, Buffer.from('WEBVTT\n')],
      ...Object.values(hostileVideos())
        .slice(0, HOSTILE)
        .map((bytes): [string, Uint8Array] => ['intro-video-1.mp4', bytes]),
    ]
    for (const [name, body] of unusable)
      assert.deepEqual(refusedAs(await send(clinic.admin, slug, name, body)), [422, 'unusable_file'], name)
    const long = join(bundle().folder, 'long.mp4')
    makeClip(long, 121, '16x16', 1)
    const tooLong = await send(clinic.admin, slug, 'intro-video-1.mp4', readFileSync(long))
    assert.deepEqual(refusedAs(tooLong), [422, 'unusable_file'])
    assert.match(tooLong.body.error.message, /longer than 120 seconds/)
    const large = await send(clinic.admin, slug, vtt, Buffer.from(VTT.repeat(3_000)))
    assert.deepEqual(refusedAs(large), [413, 'file_too_large'])
    const { body } = await composer.call('GET', at(slug), { as: clinic.admin })
    assert.deepEqual([body.data.asset_version, body.data.files], [1, []])
    const [row] = await composer.database.query<{ count: number }>('select count(*)::int from unclaimed_objects')
    assert.equal(row?.count, unusable.length + 1, 'what was refused after it was stored is deleted later')
    assert.ok((await keys()) > 0)
  })

  test('a bundle needs a manifest that matches its kind and the exercise in the URL (422)', async () => {
    const { slug } = await composer.exercise(clinic)
    const refused = async (more: Record<string, unknown>) => {
      const body = { ...MANIFEST, exercise: slug, ...more }
      const answer = await composer.call('PUT', at(slug), { as: clinic.admin, body })
      assert.deepEqual(refusedAs(answer), [422, 'validation_failed'], JSON.stringify(more))
      return Object.keys(answer.body.error.fields)
    }
    assert.deepEqual(await refused({ exercise: 'another' }), ['exercise'])
    assert.deepEqual(await refused({ manifest_version: 2 }), ['manifest_version'])
    assert.deepEqual(await refused({ laterality: undefined }), ['laterality'])
    assert.deepEqual(await refused({ counts_per_audio_master: 7 }), ['counts_per_audio_master'])
    assert.deepEqual(await refused({ reps_per_video_block: undefined }), ['reps_per_video_block'])
    assert.deepEqual(await refused({ languages: [] }), ['languages'])
    const held = await refused({ kind: 'duration_based' })
    const holds = ['hold_seconds', 'holds_per_video_block', 'max_holds']
    const reps = ['reps_per_video_block', 'counts_per_audio_master']
    assert.deepEqual(held, [...holds, ...reps])
    assert.deepEqual(await refused({ kind: 'static' }), ['laterality', ...reps])
    assert.deepEqual(await refused({ hold_seconds: 30 }), ['hold_seconds'])
  })

  test('a bundle keeps the length of a voice-over, and warns when it lasts longer than its video', async () => {
    const { slug } = await composer.exercise(clinic)
    await save(clinic.admin, slug, { languages: ['en'], reps_per_video_block: 5, counts_per_audio_master: 10 })
    for (const slot of ['intro', 'rep-left']) {
      await send(clinic.admin, slug, `${slot}-video-1.mp4`, fileOf('intro-video-1.mp4'))
      const voice = await send(clinic.admin, slug, `audio/en/${slot}-vo-1.mp3`, fileOf('audio/en/rep-left-vo-1.mp3'))
      assert.equal(voice.status, 200, JSON.stringify(voice.body))
    }
    await send(clinic.admin, slug, 'audio/en/intro-vo-2.mp3', fileOf('audio/en/intro-vo-1.mp3'))
    await send(clinic.admin, slug, 'audio/en/intro-vo-2.vtt', Buffer.from(VTT))
    const { body } = await composer.call('GET', at(slug), { as: clinic.admin })
    const seconds = Object.fromEntries(
      body.data.files.map((file: Json) => [
        file.name,
        file.duration_seconds && Number(file.duration_seconds.toFixed(1)),
      ]),
    )
    assert.equal(seconds['audio/en/intro-vo-2.vtt'], null)
    assert.ok(Math.abs(seconds['audio/en/intro-vo-1.mp3'] - 1.8) <= 0.1, JSON.stringify(seconds))
    assert.ok(Math.abs(seconds['audio/en/intro-vo-2.mp3'] - 0.4) <= 0.1, JSON.stringify(seconds))
    const warnings = Object.fromEntries(body.data.slots.map((one: Json) => [one.slot, one.warnings]))
    assert.match(
      warnings.intro.join(),
      /^audio\/en\/intro-vo-1\.mp3 lasts 1\.\d s, the video 1\.0 s: its end is cut off\.$/,
    )
    // Ten counts play over two blocks of five, which last two seconds.
    assert.deepEqual(warnings['rep-left'], [])
    const shorter = await send(clinic.admin, slug, 'rep-left-video-2.mp4', fileOf('outro-video-1.mp4'))
    const repeated = shorter.body.data.slots.find(({ slot }: Json) => slot === 'rep-left')
    assert.match(repeated.warnings.join(), /lasts 1\.\d s, the 2 blocks of video 1\.2 s/)
  })

  test('a bundle says that the disk of the server is full (503), and keeps nothing', async () => {
    const { slug } = await composer.exercise(clinic)
    await save(clinic.admin, slug)
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
    const { objects } = composer.services
    const put = objects.put
    objects.put = async () => Promise.reject(full)
    const refused = await send(clinic.admin, slug, 'intro-video-1.mp4', fileOf('intro-video-1.mp4'))
    objects.put = put
    assert.deepEqual([...refusedAs(refused), refused.headers.get('retry-after')], [503, 'storage_full', '60'])
    assert.equal((await send(clinic.admin, slug, 'intro-video-1.mp4', fileOf('intro-video-1.mp4'))).status, 200)
  })

  test('a bundle of repetitions cannot be saved for an exercise that is one finished video (422)', async () => {
    const { slug, id } = await composer.exercise(clinic)
    for (const kind of ['static', 'duration_based']) {
      await composer.database.query('update exercises set kind = $2 where id = $1', [id, kind])
      const refused = await save(clinic.admin, slug)
      assert.deepEqual(refusedAs(refused), [422, 'validation_failed'])
      assert.match(refused.body.error.fields.kind, new RegExp(`exercise is ${kind}.*upload that with POST`))
    }
    assert.deepEqual(refusedAs(await composer.call('GET', at(slug), { as: clinic.admin })), [404, 'bundle_not_found'])
    await composer.database.query(`update exercises set kind = 'reps_based' where id = $1`, [id])
    assert.equal((await save(clinic.admin, slug)).status, 200)
  })

  test('a bundle of a bilateral exercise needs one side only', async () => {
    const { slug } = await composer.bundled(clinic, { manifest: { laterality: 'bilateral' }, without: /rep-right/ })
    const { body } = await composer.call('GET', at(slug), { as: clinic.admin })
    const slots: Json[] = body.data.slots
    assert.deepEqual(
      slots.map(({ slot }) => slot),
      ['intro', 'pause', 'outro', 'rep-left'],
    )
    assert.deepEqual(
      slots.flatMap(({ problems }) => problems),
      [],
    )
  })

  test('a bundle has no field in its manifest that ffmpeg could take for a script, an option or a path (422)', async () => {
    const { slug } = await composer.exercise(clinic)
    const texts = ["en'\nfile '/etc/passwd", '../ro', 'en;x', '-i', 'http://127.0.0.1', 'concat:x', 'EN', 'e%d']
    for (const text of texts) {
      for (const more of [{ languages: [text] }, { exercise: text }, { kind: text }, { laterality: text }]) {
        const body = { ...MANIFEST, exercise: slug, ...more }
        const answer = await composer.call('PUT', at(slug), { as: clinic.admin, body })
        assert.deepEqual(refusedAs(answer), [422, 'validation_failed'], JSON.stringify(more))
      }
    }
    const body = { ...MANIFEST, exercise: slug, filter: 'movie=/etc/passwd' }
    assert.equal((await composer.call('PUT', at(slug), { as: clinic.admin, body })).status, 422)
    assert.deepEqual(refusedAs(await composer.call('GET', at(slug), { as: clinic.admin })), [404, 'bundle_not_found'])
  })

  test('a bundle of the platform can be changed by superadmins only, one of a clinic by that clinic only', async () => {
    const { slug } = await composer.exercise(null)
    const { slug: own } = await composer.exercise(clinic)
    const other = await composer.clinic()
    const operator = await composer.superadmin()
    const reader = await composer.member(clinic.id, ['exercises.view_published'])
    assert.deepEqual(refusedAs(await save(clinic.admin, slug)), [403, 'forbidden'])
    assert.deepEqual(refusedAs(await save(other.admin, own)), [404, 'exercise_not_found'])
    assert.deepEqual(refusedAs(await save(reader, own)), [403, 'forbidden'])
    assert.equal((await save(operator, slug)).status, 200)
    const sent = await send(operator, slug, 'intro-video-1.mp4', fileOf('intro-video-1.mp4'))
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    assert.equal((await composer.call('GET', at(slug), { as: reader })).body.data.files.length, 1)
    assert.deepEqual(refusedAs(await composer.call('GET', at(slug))), [401, 'unauthenticated'])
  })
})
