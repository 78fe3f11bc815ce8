import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { bodyOf, FILES, MULTIPART, opening, openUpload, partOf, upload } from '../../../platform/uploads.testing.ts'
import type { Json, Person } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { runsOf } from '../../care/session-runs/runs.testing.ts'
import { bomb, claiming, looping, MP4, refusedAs, startMedia, type TestMedia, VIDEOS } from './media.testing.ts'

const NO_VIDEO = { video_url: null, video_provider: null, video_duration_seconds: null, video_thumbnail_url: null }
const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'
const FOLDER = 'exercise-videos/'

const WEBM = VIDEOS['video/webm']
const HOSTILE = [
  [FILES.text, 'video/mp4', 'invalid_file_type'],
  [FILES.png, 'video/mp4', 'invalid_file_type'],
  [MP4, 'video/webm', 'invalid_file_type'],
  [MP4, 'application/octet-stream', 'invalid_file_type'],
  [FILES.png, 'image/png', 'invalid_file_type'],
  [Buffer.concat([Buffer.from('#EXTM3U\n'), Buffer.alloc(400)]), 'video/mp4', 'invalid_file_type'],
  [MP4.subarray(0, 600), 'video/mp4', 'unplayable_video'],
  [WEBM.subarray(0, 300), 'video/webm', 'unplayable_video'],
  [bomb(), 'video/mp4', 'unplayable_video'],
  [looping(), 'video/webm', 'unplayable_video'],
  [claiming({ pixels: 30_000 }), 'video/mp4', 'unplayable_video'],
  [claiming({ seconds: 4_000 }), 'video/mp4', 'unplayable_video'],
  [Buffer.concat([MP4, Buffer.alloc(1024 * 1024)]), 'video/mp4', 'file_too_large'],
] as const

const videoOf = ({ video_url, video_provider, video_duration_seconds, video_thumbnail_url }: Json) => ({
  video_url,
  video_provider,
  video_duration_seconds,
  video_thumbnail_url,
})

describe('the video of an exercise', () => {
  let core: TestMedia
  let clinic: TestOrganization
  let admin: Person
  let operator: Person
  before(async () => {
    core = await startMedia({ EXERCISE_VIDEO_MAX_MB: '1' })
    clinic = await core.organization()
    admin = clinic.admin
    operator = await core.superadmin()
  })
  after(() => core.close())

  const exercise = async (as = admin): Promise<string> => (await core.library.exercise(as)).id
  const read = async (id: string, as = admin) => videoOf((await core.library.read(as, id)).body.data)
  /** The objects that this exercise's video had when nobody else had one. */
  const alone = async (work: () => Promise<void>) => {
    const before = await core.keysAtRest(FOLDER)
    await work()
    return (await core.keysAtRest(FOLDER)).filter((key) => !before.includes(key))
  }

  test('the video of an exercise can be MP4, WebM or QuickTime, is returned with its duration, and plays', async () => {
    const take = async ([type, content]: [string, Buffer]) => {
      const id = await exercise()
      const { video_url, ...rest } = await core.giveVideo(admin, id, content, type)
      assert.deepEqual(rest, { video_provider: 'local', video_duration_seconds: 2, video_thumbnail_url: null })
      const shown = await read(id)
      assert.deepEqual({ ...shown, video_url: null }, { ...rest, video_url: null })
      for (const address of [video_url, shown.video_url]) {
        const played = await core.open(address)
        assert.deepEqual([played.status, played.headers.get('content-type')], [200, type])
        assert.ok(played.bytes.equals(content))
      }
    }
    await Promise.all(Object.entries(VIDEOS).map(take))
  })

  test('supports ranges (206, 416), with its media type, by a signed link', async () => {
    const { video_url } = await core.giveVideo(admin, await exercise())
    const part = await core.open(video_url, { range: 'bytes=4-7' })
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'ftyp'])
    const shown = ['content-range', 'accept-ranges', 'content-length', 'x-content-type-options'].map((name) =>
      part.headers.get(name),
    )
    assert.deepEqual(shown, [`bytes 4-7/${MP4.length}`, 'bytes', '4', 'nosniff'])
    assert.equal(part.headers.get('cross-origin-resource-policy'), 'same-site')
    const outside = await core.open(video_url, { range: `bytes=${MP4.length}-` })
    assert.deepEqual([outside.status, outside.headers.get('content-range')], [416, `bytes */${MP4.length}`])
    const { origin, pathname, search } = new URL(video_url)
    const signature = new URLSearchParams(search).get('signature') ?? ''
    assert.equal((await core.open(origin + pathname)).status, 403)
    const other = (signature.startsWith('x') ? 'y' : 'x') + signature.slice(1)
    assert.equal((await core.open(video_url.replace(signature, other))).status, 403)
    assert.ok(!core.log.join('').includes(signature))
  })

  test('the video of an exercise is in lists, and in the plans and runs of patients', async () => {
    const { id } = await core.library.published(admin)
    await core.giveVideo(admin, id)
    const list = await core.get('/v1/exercises?has_video=true&scope=org', { as: admin })
    const found = list.body.exercises.find((one: Json) => one.id === id)
    assert.ok((await core.open(found.video_url)).bytes.equals(MP4))

    const runs = runsOf(core)
    const patient = await runs.patient(clinic, { exercises: [id] })
    const { person, plan_id } = patient
    const plan = await core.get(`/v1/me/treatment-plans/${plan_id}`, { as: person })
    const run = await core.get(`/v1/session-runs/${await runs.started(patient)}/payload`, { as: person })
    for (const [shown] of [plan.body.data.sessions[0].exercises, run.body.data.exercises])
      assert.ok((await core.open(shown.video_url)).bytes.equals(MP4))
    assert.equal((await core.library.read(person, id)).status, 403)
    assert.equal((await core.sendVideo(person, id)).status, 403)
  })

  test('replaces the previous one, whose file is deleted; its key does not depend on its name', async () => {
    const id = await exercise()
    const left = await alone(async () => {
      await core.giveVideo(admin, id)
      assert.equal((await core.sendVideo(admin, id, WEBM, 'video/webm', '../../../etc/passwd')).status, 200)
    })
    assert.match(left.join(), new RegExp(`^${FOLDER}${clinic.id}/[0-9a-f-]{36}\\.webm$`))
    const played = await core.open((await read(id)).video_url)
    assert.ok(played.bytes.equals(WEBM))
  })

  test('of many uploaded at once, one remains and plays', async () => {
    const id = await exercise()
    const left = await alone(async () => {
      const sent = await Promise.all(Array.from({ length: 3 }, () => core.sendVideo(admin, id)))
      assert.deepEqual([...new Set(sent.map(({ status }) => status))], [200])
    })
    assert.equal(left.length, 1)
    assert.equal((await core.open((await read(id)).video_url)).status, 200)
  })

  test('the video of an exercise is deleted (204): the four fields are null and its file is gone; without a video it is 204 too', async () => {
    const id = await exercise()
    let address = ''
    const left = await alone(async () => {
      address = (await core.giveVideo(admin, id)).video_url
      assert.equal((await core.delete(core.videoPath(id), { as: admin })).status, 204)
    })
    assert.deepEqual(left, [])
    assert.deepEqual(await read(id), NO_VIDEO)
    assert.equal((await core.open(address)).status, 404)
    assert.equal((await core.delete(core.videoPath(id), { as: admin })).status, 204)
    assert.deepEqual(
      (await core.library.audited(id)).map(({ action }) => action),
      ['exercises.create', 'exercises.upload_video', 'exercises.delete_video'],
    )
    assert.deepEqual(
      (await core.library.events(id)).map(({ type }) => type),
      ['exercise.created', 'exercise.video_uploaded', 'exercise.video_deleted'],
    )
    const { body } = await core.get(`/v1/audit-logs?target_id=${id}&action=exercises.upload_video`, { as: admin })
    const entry = await core.get(`/v1/audit-logs/${body.data[0].id}`, { as: admin })
    assert.match(entry.text, /"video_url"/)
    assert.doesNotMatch(entry.text, /signature=/, 'no address that opens it')
  })

  test('the video of an exercise is shared with copies: the last deletion deletes the file, also when all happen at once', async () => {
    const { id } = await core.library.published(operator)
    let address = ''
    const clone = async (as: Person) => (await core.post(`/v1/exercises/${id}/clone`, { as })).body.data
    const ids: string[] = []
    const kept = await alone(async () => {
      await core.giveVideo(operator, id)
      const copies = await Promise.all([clone(admin), clone(admin)])
      address = copies[0].video_url
      ids.push(...copies.map((copy) => copy.id))
      assert.equal((await core.delete(core.videoPath(id), { as: operator })).status, 204)
    })
    assert.equal(kept.length, 1)
    assert.ok((await core.open(address)).bytes.equals(MP4))
    await Promise.all(ids.map((copy) => core.delete(core.videoPath(copy), { as: admin })))
    await until(async () => (await core.keys(kept[0])).length === 0)
    for (const copy of ids) assert.deepEqual(await read(copy), NO_VIDEO)
  })

  test('the video of an exercise of the platform is changed by a superadmin only, that of another clinic by nobody outside it', async () => {
    const global = (await core.library.published(operator)).id
    const foreign = await exercise((await core.organization()).admin)
    const own = await exercise()
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    for (const [as, id, status, code] of [
      [admin, global, 403, 'forbidden'],
      [admin, foreign, 404, 'exercise_not_found'],
      [admin, UNKNOWN, 404, 'exercise_not_found'],
      [admin, 'x', 404, 'not_found'],
      [reader, own, 403, 'forbidden'],
    ] as const) {
      assert.deepEqual(refusedAs(await core.sendVideo(as, id)), [status, code], `${id} ${code}`)
      assert.deepEqual(refusedAs(await core.delete(core.videoPath(id), { as })), [status, code])
    }
    await Promise.all([global, foreign].map((id) => core.giveVideo(operator, id)))
    assert.equal((await read(global)).video_provider, 'local')
    await core.delete(`/v1/exercises/${own}`, { as: admin })
    assert.deepEqual(refusedAs(await core.sendVideo(admin, own)), [404, 'exercise_not_found'])
  })

  test('the video of an exercise is refused when it is not a video, incomplete or malicious; nothing of it is stored', async () => {
    const id = await exercise()
    const left = await alone(async () => {
      const answers = HOSTILE.map(([content, type]) => core.sendVideo(admin, id, content, type))
      for (const [n, answer] of (await Promise.all(answers)).entries()) {
        assert.deepEqual(refusedAs(answer), [400, HOSTILE[n]?.[2]], `${n} ${JSON.stringify(answer.body)}`)
        assert.ok(answer.body.error.message.length > 20)
      }
    })
    assert.deepEqual(left, [])
    assert.deepEqual(await read(id), NO_VIDEO)
  })

  test('the video of an exercise must be one file in multipart/form-data', async () => {
    const url = core.url + core.videoPath(await exercise())
    const part = partOf(MP4, 'video/mp4')
    assert.deepEqual(refusedAs(await upload(url, admin, bodyOf(part, part))), [422, 'validation_failed'])
    assert.deepEqual(refusedAs(await upload(url, admin, bodyOf())), [422, 'validation_failed'])
    const cut = bodyOf(part).subarray(0, -40)
    assert.deepEqual(refusedAs(await upload(url, admin, cut)), [422, 'validation_failed'])
    const plain = await upload(url, admin, MP4, { 'content-type': 'video/mp4' })
    assert.deepEqual(refusedAs(plain), [415, 'unsupported_media_type'])
    assert.deepEqual(refusedAs(await core.delete(core.videoPath(UNKNOWN))), [401, 'unauthenticated'])
  })

  test('whose upload is interrupted leaves nothing, and the previous one still plays', async () => {
    const id = await exercise()
    const { video_url } = await core.giveVideo(admin, id)
    const before = await core.keysAtRest(FOLDER)
    const { sending, answer } = openUpload(core.url + core.videoPath(id), admin, { 'content-type': MULTIPART })
    sending.write(opening({ name: 'squat.mp4', type: 'video/mp4' }))
    sending.write(Buffer.concat([MP4, Buffer.alloc(64 * 1024)]))
    await until(async () => (await core.database.query('select 1 from unclaimed_objects')).length === 1)
    sending.destroy()
    await answer.catch(() => {})
    await until(async () => (await core.database.query('select 1 from unclaimed_objects')).length === 0)
    assert.deepEqual(await core.keysAtRest(FOLDER), before)
    assert.equal((await core.open(video_url)).status, 200)
  })
})
