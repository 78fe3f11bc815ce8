import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { BUNNY_KEY, BUNNY_LIBRARY, type FakeBunny, portOf, startFakeBunny, until } from '@tendon/testing'
import { buildApp } from '../apps/composer/src/app.ts'
import { createServices } from '../apps/composer/src/create-services.ts'
import { startMedia, type TestMedia } from '../apps/core/src/features/exercise-library/videos/media.testing.ts'
import type { Json, Person } from '../apps/core/src/testing/core.ts'

const SECRET = 'the-webhook-secret'
const READ_ONLY_KEY = 'read-only'

describe('uploaded videos of exercises at Bunny Stream', () => {
  let core: TestMedia
  let bunny: FakeBunny
  let admin: Person
  let webhookUrl: string
  let stop: () => Promise<void>
  before(async () => {
    bunny = await startFakeBunny()
    core = await startMedia({
      VIDEO_HOST: 'bunny',
      BUNNY_API_URL: bunny.url,
      BUNNY_LIBRARY_ID: BUNNY_LIBRARY,
      BUNNY_API_KEY: BUNNY_KEY,
      BUNNY_READ_ONLY_KEY: READ_ONLY_KEY,
      BUNNY_CDN_URL: 'https://vz.example',
      WEBHOOK_SECRET: SECRET,
    })
    const services = createServices(core.config, 'tendon_app', core.database.url)
    const composer = buildApp(services, { logStream: { write: () => {} } })
    await composer.listen({ host: '127.0.0.1', port: 0 })
    webhookUrl = `http://127.0.0.1:${portOf(composer.server)}/webhooks/videohost`
    stop = async () => {
      await composer.close()
      await services.close()
    }
    admin = (await core.organization()).admin
  })
  beforeEach(() => {
    bunny.reset()
    bunny.switches.signingKey = READ_ONLY_KEY
    bunny.sendWebhooksTo(`${webhookUrl}?token=${SECRET}`)
  })
  after(async () => {
    await stop()
    await core.close()
    bunny.close()
  })

  const upload = async (): Promise<string> => {
    const { id } = await core.library.exercise(admin)
    assert.equal((await core.giveVideo(admin, id)).video_provider, 'bunny')
    return id
  }
  const read = async (id: string): Promise<Json> => (await core.library.read(admin, id)).body.data
  const hosted = (id: string): Promise<Json> =>
    until(async () => {
      const exercise = await read(id)
      return exercise.video_url.startsWith('https://vz.example/') ? exercise : undefined
    })
  /** Waits until the host has the video and the next poll is stored. */
  const transcoding = (id: string): Promise<{ guid: string; seconds: number }> =>
    until(async () => {
      const [row] = await core.database.query<{ guid: string; seconds: number }>(
        `select e.video_host_reference as guid, extract(epoch from j.run_at - now())::int as seconds
         from exercises e join graphile_worker.jobs j on j.key like '% finish_exercise_video ' || e.video_object_key
         where e.id = $1 and e.video_host_reference is not null and j.locked_at is null and j.run_at > now()`,
        [id],
      )
      return row && (bunny.videos.get(row.guid)?.status ?? 0) > 0 ? row : undefined
    })
  const send = (guid: string, { token = SECRET, key = READ_ONLY_KEY, status = 4 } = {}) => {
    const body = JSON.stringify({ VideoLibraryId: Number(BUNNY_LIBRARY), VideoGuid: guid, Status: status })
    const signature = createHmac('sha256', key).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-bunnystream-signature': signature }
    return fetch(`${webhookUrl}?token=${token}`, { method: 'POST', headers, body })
  }
  const soon = () =>
    core.database.query(
      `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs
       where task_identifier = 'finish_exercise_video' and locked_at is null), now())`,
    )

  test('play from our object store until the webhook arrives, then from the host', async () => {
    Object.assign(bunny.switches, { stuck: true })
    const id = await upload()
    const { guid } = await transcoding(id)
    assert.match((await read(id)).video_url, /\/v1\/public\/objects\//)
    const video = bunny.videos.get(guid)
    assert.ok(video)
    video.status = 4
    assert.equal((await send(guid)).status, 200)
    const { video_url, video_thumbnail_url } = await hosted(id)
    assert.equal(video_url, `https://vz.example/${guid}/playlist.m3u8`)
    assert.equal(video_thumbnail_url, `https://vz.example/${guid}/thumbnail.jpg`)
    assert.deepEqual((await core.library.events(id)).at(-1)?.type, 'exercise.video_ready')
  })

  test('uploaded videos of exercises at Bunny Stream are not polled after a webhook with a wrong token, a wrong signature, or a progress status', async () => {
    Object.assign(bunny.switches, { silent: true, stuck: true })
    const id = await upload()
    const { guid } = await transcoding(id)
    for (const wrong of [{ token: 'wrong' }, { token: '' }, { key: 'wrong' }])
      assert.equal((await send(guid, wrong)).status, 401)
    assert.equal((await send(guid, { status: 2 })).status, 200)
    assert.equal((await send('another-video')).status, 200)
    assert.ok((await transcoding(id)).seconds > 30, 'the next poll has not moved')
    await core.delete(core.videoPath(id), { as: admin })
    await until(() => !bunny.videos.has(guid))
  })

  test('uploaded videos of exercises at Bunny Stream are polled by the backstop when no webhook arrives, and uploaded again when the host lost them', async () => {
    Object.assign(bunny.switches, { silent: true, forget: true })
    const id = await upload()
    await until(() => bunny.forgotten.size > 0)
    bunny.switches.forget = false
    await until(async () => {
      await soon()
      return (await read(id)).video_url.startsWith('https://vz.example/')
    })
  })

  test('uploaded videos of exercises at Bunny Stream are uploaded again twice at most, then play as they were uploaded, and nothing is left at the host', async () => {
    Object.assign(bunny.switches, { silent: true, forget: true })
    const id = await upload()
    const [row] = await core.database.query<{ key: string }>(
      'select video_object_key as key from exercises where id = $1',
      [id],
    )
    const key = row?.key ?? ''
    await until(async () => {
      await soon()
      return core.workerLog.some((line) => line.includes('lost the video repeatedly'))
    })
    assert.equal(bunny.uploads.filter((title) => title === key).length, 3)
    assert.deepEqual(
      [...bunny.videos.values()].filter(({ title }) => title === key),
      [],
    )
    assert.match((await read(id)).video_url, /\/v1\/public\/objects\//)
  })

  test('uploaded videos of exercises at Bunny Stream wait while the host refuses, fails or cuts the connection', async () => {
    Object.assign(bunny.switches, { tooMany: 1, broken: 1, cut: 1 })
    const id = await upload()
    await until(async () => {
      await soon()
      return (await read(id)).video_url.startsWith('https://vz.example/')
    })
    const titles = [...bunny.videos.values()].map(({ title }) => title)
    assert.equal(new Set(titles).size, titles.length, 'one video at the host')
  })

  test('uploaded videos of exercises at Bunny Stream are played as uploaded when the host cannot transcode them', async () => {
    Object.assign(bunny.switches, { encodeError: true })
    const id = await upload()
    await until(async () => {
      await soon()
      return core.workerLog.some((line) => line.includes('could not transcode'))
    })
    assert.match((await read(id)).video_url, /\/v1\/public\/objects\//)
    assert.ok(!core.workerLog.join('').includes(BUNNY_KEY))
  })
})
