import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import type { VideoHost } from '@tendon/video-host'
import type { Person } from '../../../testing/core.ts'
import { startMedia, type TestMedia } from './media.testing.ts'

describe('a slow video host', () => {
  const steps: (() => ReturnType<VideoHost['finish']>)[] = []
  const deleted: string[] = []
  const ready = { video_url: 'https://video.example/v.m3u8', video_thumbnail_url: 'https://video.example/t.jpg' }
  const host: VideoHost = {
    provider: 'slow',
    begin: async ({ key }) => ({
      reference: key,
      video_url: 'https://video.example/not-yet',
      video_thumbnail_url: null,
      video_duration_seconds: null,
    }),
    finish: async () => steps.shift()?.() ?? 'as_it_is',
    delete: async (reference) => void deleted.push(reference),
  }
  let core: TestMedia
  let admin: Person
  before(async () => {
    core = await startMedia({}, { videos: host })
    admin = (await core.organization()).admin
  })
  after(() => core.close())

  const soon = () =>
    core.database.query(
      `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where task_identifier = $1), now())`,
      ['finish_exercise_video'],
    )

  test('a slow video host is polled, and its URLs are returned unchanged', async () => {
    const { id } = await core.library.exercise(admin)
    const asked = Promise.withResolvers<void>()
    steps.push(async () => {
      asked.resolve()
      return 'later'
    })
    steps.push(async () => ready)
    const video = await core.giveVideo(admin, id)
    assert.deepEqual([video.video_provider, video.video_url], ['slow', 'https://video.example/not-yet'])
    await asked.promise
    const shown = await until(async () => {
      await soon()
      const { video_url, video_thumbnail_url } = (await core.library.read(admin, id)).body.data
      return video_thumbnail_url === null ? undefined : { video_url, video_thumbnail_url }
    })
    assert.deepEqual(shown, ready)
  })

  test('a slow video host deletes a video that no exercise shows any more when it is ready', async () => {
    const { id } = await core.library.exercise(admin)
    const begun = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    steps.push(async () => {
      begun.resolve()
      await gone.promise
      return ready
    })
    await core.giveVideo(admin, id)
    await begun.promise
    await core.delete(core.videoPath(id), { as: admin })
    const [first] = await until(() => (deleted.length > 0 ? [...deleted] : undefined))
    gone.resolve()
    await until(() => deleted.filter((reference) => reference === first).length === 2)
    assert.equal((await core.library.read(admin, id)).body.data.video_url, null)
  })
})
