import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import pg from 'pg'
import { Upload as TusUpload } from 'tus-js-client'
import { FILES } from '../../../platform/uploads.testing.ts'
import type { Json, Person } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { jobTools } from '../../connections/job.testing.ts'
import { videoJobs } from './jobs.ts'
import { MP4, refusedAs, startMedia, type TestMedia, VIDEOS } from './media.testing.ts'
import { tusOf } from './tus.testing.ts'

const MB = 1024 * 1024
const MAX_MB = 1_200
const PARTS = 'exercise-video-uploads/'
const DAY_MS = 24 * 60 * 60 * 1000
const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

describe('a resumable upload of a video', () => {
  let core: TestMedia
  let clinic: TestOrganization
  let admin: Person
  let now = () => new Date()
  before(async () => {
    // The worker keeps the real time: its job that runs every ten minutes would delete what a test lets expire.
    const ofWorker = { now: () => new Date() }
    core = await startMedia({ EXERCISE_VIDEO_MAX_MB: String(MAX_MB) }, { now: () => now() }, ofWorker)
    clinic = await core.organization()
    admin = clinic.admin
  })
  after(() => core.close())

  const tus = (as = admin) => tusOf(core.url, as)
  const exercise = async (as = admin): Promise<string> => (await core.library.exercise(as)).id
  const videoOf = async (id: string, as = admin) => (await core.library.read(as, id)).body.data
  const uploadsOf = async (id: string, as = admin) => {
    const { status, body } = await core.get(`/v1/exercises/${id}/video/uploads`, { as })
    assert.equal(status, 200)
    return body.data
  }
  const unfinishedMb = async (of: TestOrganization) => {
    const { body } = await core.get(`/v1/organizations/${of.id}/plan`, { as: of.admin })
    return body.data.limits.find((limit: Json) => limit.name === 'max_unfinished_upload_mb').current
  }
  const uploadedEntries = async (id: string) =>
    (await core.get(`/v1/audit-logs?target_id=${id}&action=exercises.upload_video`, { as: admin })).body.data.length
  const partsOf = (path: string) => core.keysAtRest(`${PARTS}${clinic.id}/${path.split('/').at(-1)}/`)

  test('a resumable upload of a video is sent by the client of the tus project in parts, with progress, and plays when it is finished', async () => {
    const id = await exercise()
    const progress: number[] = []
    const url = await new Promise<string>((resolve, reject) => {
      const upload = new TusUpload(MP4, {
        endpoint: `${core.url}/v1/exercises/${id}/video/uploads`,
        headers: { authorization: `Bearer ${admin.token}` },
        metadata: { filename: 'squat.mp4', filetype: 'video/mp4' },
        chunkSize: 500,
        retryDelays: [],
        onChunkComplete: (_size, accepted) => void progress.push(accepted),
        onSuccess: () => resolve(upload.url ?? ''),
        onError: reject,
      })
      upload.start()
    })
    assert.equal(progress.at(-1), MP4.length)
    assert.equal(progress.length, Math.ceil(MP4.length / 500))
    assert.equal((await videoOf(id)).video_url, null)
    const finished = await tus().finish(new URL(url).pathname)
    assert.equal(finished.status, 200, JSON.stringify(finished.body))
    assert.equal(finished.body.data.video_duration_seconds, 2)
    assert.ok((await core.open((await videoOf(id)).video_url)).bytes.equals(MP4))
    assert.deepEqual(await partsOf(url), [])
    assert.deepEqual(await uploadsOf(id), [])
    assert.equal(await unfinishedMb(clinic), 0)
  })

  test('a resumable upload of a video tells where it continues, by HEAD, as JSON and in the list, until when, and what it is', async () => {
    const id = await exercise()
    const path = await tus().started(id)
    const first = await tus().patch(path, 0, MP4.subarray(0, 300))
    assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, '300'])
    const head = await tus().send('HEAD', path)
    assert.deepEqual(
      ['upload-offset', 'upload-length', 'tus-resumable', 'cache-control'].map((name) => head.headers.get(name)),
      ['300', String(MP4.length), '1.0.0', 'no-store'],
    )
    assert.match(head.headers.get('upload-metadata') ?? '', /filetype dmlkZW8vbXA0/)
    const [listed] = await uploadsOf(id)
    const read = await core.get(path, { as: admin })
    assert.deepEqual(read.body.data, listed)
    assert.deepEqual([listed.offset, listed.length, listed.metadata.filename], [300, MP4.length, 'squat.mp4'])
    const expires = new Date(head.headers.get('upload-expires') ?? '').getTime()
    assert.equal(expires, Math.floor(new Date(listed.expires_at).getTime() / 1000) * 1000)
    const early = await tus().finish(path)
    assert.deepEqual([...refusedAs(early), early.body.error.offset], [409, 'upload_incomplete', 300])
    assert.equal((await tus().patch(path, 300, MP4.subarray(300))).status, 204)
    assert.equal((await tus().finish(path)).status, 200)
  })

  test('a resumable upload of a video belongs to one person at one clinic (404 for everybody else, 403 without the permission)', async () => {
    const id = await exercise()
    const path = await tus().started(id)
    await tus().patch(path, 0, MP4.subarray(0, 300))
    const colleague = await core.memberWith(clinic, ['exercises.manage_org'])
    const stranger = (await core.organization()).admin
    const operator = await core.superadmin()
    for (const other of [colleague, stranger, operator]) {
      const as = tus(other)
      assert.equal((await as.send('HEAD', path)).status, 404)
      assert.deepEqual(refusedAs(await as.patch(path, 300, MP4.subarray(300))), [404, 'upload_not_found'])
      assert.deepEqual(refusedAs(await as.finish(path)), [404, 'upload_not_found'])
      assert.deepEqual(refusedAs(await as.send('DELETE', path)), [404, 'upload_not_found'])
    }
    assert.deepEqual(await uploadsOf(id, colleague), [])
    assert.equal((await core.get(`/v1/exercises/${id}/video/uploads`, { as: stranger })).status, 404)
    assert.deepEqual(refusedAs(await tus(stranger).start(id)), [404, 'exercise_not_found'])
    const reader = await core.memberWith(clinic, ['exercises.view_published'])
    assert.deepEqual(refusedAs(await tus(reader).patch(path, 300, MP4.subarray(300))), [403, 'forbidden'])
    const elsewhere = path.replace(id, await exercise())
    assert.equal((await tus().send('HEAD', elsewhere)).status, 404)
    assert.equal(await tus().offset(path), 300)
    assert.equal((await tus().send('HEAD', path.replace(/[^/]+$/, UNKNOWN))).status, 404)
  })

  test('a resumable upload of a video needs a declared length within the limit, a type and the version of the protocol; a refusal changes nothing', async () => {
    const id = await exercise()
    const path = `/v1/exercises/${id}/video/uploads`
    const type = { 'upload-metadata': 'filetype dmlkZW8vbXA0' }
    const length = { 'upload-length': '10' }
    const counted = await unfinishedMb(clinic)
    const refused = async (headers: Record<string, string>) => refusedAs(await tus().send('POST', path, headers))
    const invalid = [400, 'invalid_upload_request']
    assert.deepEqual(await refused(type), invalid)
    assert.deepEqual(await refused({ ...type, 'upload-defer-length': '1' }), invalid)
    for (const wrong of ['0', '-1', '1.5', 'many', '1e3', ''])
      assert.deepEqual(await refused({ ...type, 'upload-length': wrong }), invalid, wrong)
    const large = await tus().start(id, MAX_MB * MB + 1)
    assert.deepEqual([...refusedAs(large), large.body.error.max_file_size], [413, 'file_too_large', MAX_MB * MB])
    assert.deepEqual(await refused(length), invalid)
    assert.deepEqual(await refused({ ...length, 'upload-metadata': '!,,!' }), invalid)
    assert.deepEqual(await refused({ ...length, 'upload-metadata': 'filetype dmlkZW8vbXA0,filename AA==' }), invalid)
    const long = Buffer.alloc(1_000, 'x').toString('base64')
    assert.deepEqual(
      await refused({ ...length, 'upload-metadata': `${type['upload-metadata']},filename ${long}` }),
      invalid,
    )
    assert.deepEqual(refusedAs(await tus().start(id, 10, { filetype: 'image/png' })), [400, 'invalid_file_type'])
    const old = await tus().send('POST', path, { ...type, ...length, 'tus-resumable': '0.2.2' })
    assert.deepEqual([...refusedAs(old), old.headers.get('tus-version')], [412, 'tus_version_required', '1.0.0'])
    assert.deepEqual(await uploadsOf(id), [])
    assert.equal(await unfinishedMb(clinic), counted)
    const global = await exercise(await core.superadmin())
    assert.deepEqual(refusedAs(await tus().start(global)), [403, 'forbidden'])
  })

  test('a resumable upload of a video takes no byte beyond its length and none at a wrong place', async () => {
    const path = await tus().started(await exercise(), 100)
    assert.deepEqual(refusedAs(await tus().patch(path, 0, Buffer.alloc(101))), [413, 'file_too_large'])
    assert.deepEqual(refusedAs(await tus().patch(path, 50, Buffer.alloc(10))), [409, 'upload_offset_conflict'])
    const json = await tus().send(
      'PATCH',
      path,
      { 'content-type': 'application/json', 'upload-offset': '0' },
      Buffer.from('{}'),
    )
    assert.deepEqual(refusedAs(json), [400, 'invalid_upload_request'])
    assert.equal(await tus().offset(path), 0)
    assert.deepEqual(await partsOf(path), [])
  })

  test('sent twice at the same moment is received once', async () => {
    const path = await tus().started(await exercise())
    const answers = await Promise.all([1, 2, 3, 4].map(() => tus().patch(path, 0, MP4)))
    assert.deepEqual(answers.map(({ status }) => String(status)).sort(), ['204', '409', '409', '409'])
    assert.equal((await partsOf(path)).length, 1)
    assert.deepEqual(refusedAs(await tus().patch(path, 0, MP4)), [409, 'upload_offset_conflict'])
    assert.equal((await tus().finish(path)).status, 200)
  })

  test('finished twice at the same moment, and again later, is one video', async () => {
    const id = await exercise()
    const path = await tus().complete(id)
    const answers = await Promise.all([1, 2, 3, 4].map(() => tus().finish(path)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const again = await tus().finish(path)
    assert.equal(again.status, 200)
    const keys = new Set([...answers, again].map(({ body }) => new URL(body.data.video_url).pathname))
    assert.equal(keys.size, 1)
    assert.equal(await uploadedEntries(id), 1)
    const files = await core.keysAtRest(`exercise-videos/${clinic.id}/`)
    const [key = ''] = keys
    assert.equal(files.filter((file) => key.endsWith(file)).length, 1)
    assert.deepEqual(refusedAs(await tus().patch(path, MP4.length, Buffer.alloc(1))), [413, 'file_too_large'])
    assert.equal(await tus().offset(path), MP4.length)
  })

  test('cancelled while it is being finished is gone (404), and the exercise keeps the video that it has', async () => {
    const id = await exercise()
    const path = await tus().complete(id)
    const locker = new pg.Client({ connectionString: core.database.url })
    await locker.connect()
    await locker.query('begin')
    await locker.query('select 1 from exercises where id = $1 for update', [id])
    const waiting = async () =>
      (
        await core.database.query(`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ilike '%exercises%'`)
      ).length
    const cancelled = tus().send('DELETE', path)
    await until(async () => (await waiting()) === 1)
    const finished = tus().finish(path)
    await until(async () => (await waiting()) === 2)
    await locker.query('commit')
    await locker.end()
    assert.equal((await cancelled).status, 204)
    assert.deepEqual(refusedAs(await finished), [404, 'upload_not_found'])
    assert.equal((await videoOf(id)).video_url, null)
  })

  test('whose bytes are no video of the declared type is refused at the end and deleted; the exercise keeps its video', async () => {
    const id = await exercise()
    await core.giveVideo(admin, id)
    const before = await videoOf(id)
    const counted = await unfinishedMb(clinic)
    for (const [content, type, code] of [
      [FILES.png, 'video/mp4', 'invalid_file_type'],
      [MP4, 'video/webm', 'invalid_file_type'],
      [MP4.subarray(0, 600), 'video/mp4', 'unplayable_video'],
    ] as const) {
      const path = await tus().complete(id, content, type)
      assert.deepEqual(refusedAs(await tus().finish(path)), [400, code])
      assert.deepEqual(refusedAs(await tus().finish(path)), [404, 'upload_not_found'])
      assert.deepEqual(await partsOf(path), [])
    }
    const after = await videoOf(id)
    assert.equal(new URL(after.video_url).pathname, new URL(before.video_url).pathname)
    assert.equal(await unfinishedMb(clinic), counted)
  })

  test('expires after 24 hours: it is refused (410), and a job deletes its parts and frees the limit', async () => {
    const own = await core.organization()
    const as = tus(own.admin)
    const id = await exercise(own.admin)
    const path = await as.started(id)
    await as.patch(path, 0, MP4.subarray(0, 300))
    assert.equal(await unfinishedMb(own), 1)
    const start = Date.now()
    const sweep = () =>
      videoJobs
        .find(({ name }) => name === 'delete_expired_video_uploads')
        ?.run({}, jobTools({ ...core.workerServices, now }))
    try {
      now = () => new Date(start + DAY_MS - 60_000)
      await sweep()
      assert.equal(await as.offset(path), 300)
      now = () => new Date(start + DAY_MS + 1_000)
      assert.equal((await as.send('HEAD', path)).status, 410)
      assert.deepEqual(refusedAs(await as.patch(path, 300, MP4.subarray(300))), [410, 'upload_expired'])
      assert.deepEqual(refusedAs(await as.finish(path)), [410, 'upload_expired'])
      assert.deepEqual(await uploadsOf(id, own.admin), [])
      assert.equal((await core.keys(`${PARTS}${own.id}/`)).length, 1)
      await sweep()
      assert.deepEqual(await core.keysAtRest(`${PARTS}${own.id}/`), [])
      assert.equal((await as.send('HEAD', path)).status, 404)
      assert.equal(await unfinishedMb(own), 0)
    } finally {
      now = () => new Date()
    }
  })

  test('a resumable upload of a video counts against the plan of the clinic with its declared length until it is finished or cancelled', async () => {
    const own = await core.organization()
    const as = tus(own.admin)
    const [first, second] = [await exercise(own.admin), await exercise(own.admin)]
    const path = await as.started(first, MAX_MB * MB)
    assert.equal(await unfinishedMb(own), MAX_MB)
    const refused = await as.start(second, MAX_MB * MB)
    assert.deepEqual(refusedAs(refused), [403, 'limit_exceeded'])
    assert.deepEqual(refused.body.error.limit, {
      name: 'max_unfinished_upload_mb',
      max: 2_000,
      current: MAX_MB,
      plan: 'free',
    })
    assert.equal((await as.send('DELETE', path)).status, 204)
    assert.equal(await unfinishedMb(own), 0)
    assert.equal((await as.start(second, MAX_MB * MB)).status, 201)
  })

  test('a resumable upload of a video goes with its exercise: a deleted exercise frees the limit', async () => {
    const own = await core.organization()
    const as = tus(own.admin)
    const id = await exercise(own.admin)
    const path = await as.started(id)
    await as.patch(path, 0, MP4.subarray(0, 300))
    assert.equal((await core.delete(`/v1/exercises/${id}`, { as: own.admin })).status, 204)
    assert.equal(await unfinishedMb(own), 0)
    assert.equal((await as.send('HEAD', path)).status, 404)
    assert.deepEqual(await core.keysAtRest(`${PARTS}${own.id}/`), [])
  })

  test('replaces an unfinished one of the same person for the same exercise', async () => {
    const id = await exercise()
    const first = await tus().started(id)
    await tus().patch(first, 0, MP4.subarray(0, 300))
    const second = await tus().started(id)
    assert.equal((await tus().send('HEAD', first)).status, 404)
    assert.deepEqual(await partsOf(first), [])
    assert.deepEqual(
      (await uploadsOf(id)).map((upload: Json) => second.endsWith(upload.id)),
      [true],
    )
    await tus().send('DELETE', second)
  })

  test('a resumable upload of a video can be of an exercise of the platform, by a superadmin', async () => {
    const operator = await core.superadmin()
    const id = await exercise(operator)
    const path = await tus(operator).complete(id, VIDEOS['video/webm'], 'video/webm')
    assert.equal((await tus(operator).finish(path)).status, 200)
    assert.ok((await core.open((await videoOf(id)).video_url)).bytes.equals(VIDEOS['video/webm']))
    await until(async () => (await core.keys(`${PARTS}platform/`)).length === 0)
  })

  test('a resumable upload of a video is in the audit log: who started, cancelled and finished it', async () => {
    const id = await exercise()
    await tus().send('DELETE', await tus().started(id))
    await tus().finish(await tus().complete(id))
    const { body } = await core.get(`/v1/audit-logs?target_id=${id}`, { as: admin })
    const actions = body.data.map((entry: Json) => entry.action).toReversed()
    assert.deepEqual(actions, [
      'exercises.create',
      'exercises.start_video_upload',
      'exercises.cancel_video_upload',
      'exercises.start_video_upload',
      'exercises.upload_video',
    ])
  })
})
