import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { NO_FFMPEG } from '@tendon/testing'
import type { RenderHost } from '@tendon/video-host'
import { type Clinic, type Json, startComposer, type TestComposer } from '../testing.ts'
import { type AttemptTools, attemptNext } from './attempt.ts'
import { deleteAbandoned } from './sweep.ts'

describe('an attempt at a render', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let clinic: Clinic
  let slug: string
  let tools: AttemptTools
  let seed = 0
  before(async () => {
    composer = await startComposer()
    clinic = await composer.clinic()
    slug = (await composer.bundled(clinic, { without: /^audio\/ro/ })).slug
    // Without ffmpeg the worker starts no attempts, and these tests delete.
    const idle = await composer.work({ ffmpeg: undefined }, { deletion: 3_600_000 })
    tools = { ...idle.tools, services: { ...idle.tools.services, ffmpeg: composer.services.ffmpeg } }
  })
  beforeEach(() => composer.database.query(`delete from renders where status <> 'ready'`))
  after(() => composer.close())

  const begin = async (): Promise<string> => {
    const { body } = await composer.compose(clinic.admin, slug, { seed: (seed += 1) })
    return body.data.video_id
  }
  const again = () => composer.compose(clinic.admin, slug, { seed })
  const cancel = (id: string) => composer.call('POST', `/v1/renders/${id}/cancel`, { as: clinic.admin })
  const row = async (id: string): Promise<Json> => {
    const [found] = await composer.database.query<Json>(
      `select status, stage, attempts, worker_id, error_code, host_reference, abandoned_references,
         extract(epoch from run_at - now())::int as due_in from renders where id = $1`,
      [id],
    )
    return found
  }
  const keys = async (id: string) => (await Array.fromAsync(composer.services.objects.list(`renders/${id}/`))).length
  const withHost = (more: Partial<RenderHost>): AttemptTools => ({
    ...tools,
    services: { ...tools.services, host: { ...tools.services.host, ...more } },
  })

  test('an attempt at a render that fails because of the machine is retried after ten seconds, a minute and ten minutes, then fails', async () => {
    const id = await begin()
    const faulty = Object.assign(new Error('i/o error'), { code: 'EIO' })
    const broken = { ...tools, cache: { ...tools.cache, workFolder: () => Promise.reject(faulty) } }
    for (const seconds of [10, 60, 600]) {
      assert.equal(await attemptNext(broken), true)
      const { status, stage, worker_id, due_in } = await row(id)
      assert.deepEqual([status, stage, worker_id], ['queued', null, null])
      assert.ok(Math.abs(due_in - seconds) <= 5, `${due_in} of ${seconds}`)
      assert.equal(await attemptNext(broken), false, 'not before it is due')
      await composer.database.query(`update renders set run_at = now() - interval '1 second' where id = $1`, [id])
    }
    await attemptNext(broken)
    const { status, error_code } = await row(id)
    assert.deepEqual([status, error_code], ['failed', 'render_failed'])
  })

  test('an attempt at a render that crashed its worker twelve times is not retried', async () => {
    const id = await begin()
    await composer.database.query('update renders set attempts = 12 where id = $1', [id])
    assert.equal(await attemptNext(tools), true)
    const { status, error_code } = await row(id)
    assert.deepEqual([status, error_code], ['failed', 'render_failed'])
  })

  test('an attempt at a render of a restarted render waits until its previous video is deleted at the host', async () => {
    const id = await begin()
    const stuck = withHost({ status: async () => 'working' })
    await attemptNext(stuck)
    assert.equal((await row(id)).status, 'transcoding')
    await cancel(id)
    assert.equal((await again()).status, 202)
    assert.deepEqual([(await row(id)).host_reference, (await row(id)).abandoned_references], [null, [`renders/${id}`]])
    const deleted: string[] = []
    const refuses = withHost({
      async delete(reference) {
        deleted.push(reference)
        throw new Error('the host does not answer')
      },
    })
    await deleteAbandoned(refuses)
    assert.deepEqual([deleted, await attemptNext(tools)], [[`renders/${id}`], false])
    await deleteAbandoned(tools)
    assert.deepEqual([(await row(id)).abandoned_references, await keys(id)], [[], 0])
    assert.equal(await attemptNext(tools), true)
    assert.equal((await row(id)).status, 'ready')
    assert.ok((await keys(id)) > 0)
  })

  test('an attempt at a render that is cancelled during the upload leaves nothing at the host', async () => {
    const id = await begin()
    const { host } = tools.services
    const late = withHost({
      async upload(reference, files, signal) {
        await cancel(id)
        await deleteAbandoned(tools)
        assert.equal((await row(id)).host_reference, null)
        await host.upload(reference, files, signal)
      },
    })
    assert.equal(await attemptNext(late), true)
    await deleteAbandoned(tools)
    assert.equal(await keys(id), 0)
    assert.equal((await row(id)).status, 'cancelled')
  })
})
