import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { NO_FFMPEG } from '@tendon/testing'
import type { RenderHost } from '@tendon/video-host'
import { type Clinic, startComposer, type TestComposer } from '../testing.ts'
import { type AttemptTools, attemptNext } from './attempt.ts'
import { deleteAbandoned, sweep } from './sweep.ts'

describe('videos that restarted renders left at the host', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let clinic: Clinic
  let slug: string
  let tools: AttemptTools
  let seed = 0
  before(async () => {
    composer = await startComposer()
    clinic = await composer.clinic()
    slug = (await composer.bundled(clinic, { without: /^audio\/ro/ })).slug
    // This worker starts no attempts and deletes nothing: the tests do.
    const refuses = { ...composer.services.host, delete: () => Promise.reject(new Error('the host does not answer')) }
    const idle = await composer.work({ ffmpeg: undefined, host: refuses })
    const { ffmpeg, host } = composer.services
    tools = { ...idle.tools, services: { ...idle.tools.services, ffmpeg, host } }
  })
  beforeEach(() => composer.database.query(`delete from renders where status <> 'ready'`))
  after(() => composer.close())

  const withHost = (more: Partial<RenderHost>): AttemptTools => ({
    ...tools,
    services: { ...tools.services, host: { ...tools.services.host, ...more } },
  })
  const request = async (): Promise<string> => (await composer.compose(clinic.admin, slug, { seed })).body.data.video_id
  const cancel = (id: string) => composer.call('POST', `/v1/renders/${id}/cancel`, { as: clinic.admin })
  const passTime = (id: string, interval: string) =>
    composer.database.query(`update renders set run_at = run_at - $2::interval where id = $1`, [id, interval])
  const statusOf = async (id: string) => (await composer.render(clinic.admin, id)).status

  /** Requests a render, cancels it while the host transcodes, and requests it again ten minutes ago. */
  async function restarted(reference: string): Promise<string> {
    const id = await request()
    const stuck = { create: async () => reference, upload: async () => {}, status: async () => 'working' as const }
    assert.equal(await attemptNext(withHost(stuck)), true)
    assert.equal(await statusOf(id), 'transcoding')
    await cancel(id)
    assert.equal(await request(), id)
    await passTime(id, '11 minutes')
    return id
  }
  async function deletedVideos(): Promise<string[]> {
    const deleted: string[] = []
    await deleteAbandoned(withHost({ delete: async (reference) => void deleted.push(reference) }))
    return deleted.sort()
  }

  test('videos that restarted renders left at the host are all deleted, also when the render was restarted again before', async () => {
    seed += 1
    await restarted('first')
    const id = await restarted('second')
    await cancel(id)
    assert.deepEqual(await deletedVideos(), ['first', 'second'])
    assert.deepEqual(await deletedVideos(), [])
  })

  test('videos that restarted renders left at the host are deleted after another attempt that got a new reference', async () => {
    seed += 1
    const id = await request()
    const breaks = { create: async () => 'first', upload: () => Promise.reject(new Error('the connection was cut')) }
    assert.equal(await attemptNext(withHost(breaks)), true)
    await passTime(id, '11 minutes')
    assert.equal(await attemptNext(withHost({ create: async () => 'second', upload: async () => {} })), true)
    assert.deepEqual(await deletedVideos(), ['first'])
  })

  test('videos that restarted renders left at the host stay when the next attempt uses them', async () => {
    seed += 1
    const id = await restarted(`renders/${await request()}`)
    assert.equal(await attemptNext(tools), true)
    assert.equal(await statusOf(id), 'ready')
    assert.deepEqual(await deletedVideos(), [])
  })

  test('videos that restarted renders left at the host are not forgotten when the render is deleted', async () => {
    seed += 1
    const id = await restarted('first')
    await cancel(id)
    const inTwoDays = { ...tools, services: { ...tools.services, now: () => new Date(Date.now() + 2 * 86_400_000) } }
    await sweep(inTwoDays)
    assert.deepEqual(await deletedVideos(), ['first'])
    await sweep(inTwoDays)
    assert.deepEqual(await composer.database.query('select 1 from renders where id = $1', [id]), [])
  })
})
