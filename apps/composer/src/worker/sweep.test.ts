import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { NO_FFMPEG } from '@tendon/testing'
import { type Clinic, refusedAs, startComposer, type TestComposer } from '../testing.ts'
import { sweep } from './sweep.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('unused renders and bundle files', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let clinic: Clinic
  let skippedMs = 0
  before(async () => {
    composer = await startComposer({ services: { now: () => new Date(Date.now() + skippedMs) } })
    clinic = await composer.clinic()
  })
  after(() => composer.close())
  const keys = async (prefix: string) => (await Array.fromAsync(composer.services.objects.list(prefix))).length

  test('unused renders and bundle files are deleted a day after the bundle was replaced', async () => {
    const { slug } = await composer.bundled(clinic, { without: /^audio\/ro/ })
    const { slug: kept } = await composer.bundled(clinic, { without: /^audio\/ro/ })
    const worker = await composer.work()
    const old = await composer.composed(clinic.admin, slug)
    const current = await composer.composed(clinic.admin, kept)
    assert.ok((await keys(`renders/${old.id}/`)) > 0)
    const outro = `/v1/exercises/${slug}/bundle/files/outro-video-1.mp4`
    assert.equal((await composer.call('DELETE', outro, { as: clinic.admin })).status, 204)

    await sweep(worker.tools)
    assert.equal((await composer.render(clinic.admin, old.id)).status, 'ready')
    skippedMs = DAY_MS + 60_000
    await sweep(worker.tools)
    const gone = await composer.call('GET', `/v1/renders/${old.id}`, { as: clinic.admin })
    assert.deepEqual(refusedAs(gone), [404, 'render_not_found'])
    assert.equal(await keys(`renders/${old.id}/`), 0)
    assert.equal((await composer.render(clinic.admin, current.id)).status, 'ready')
    assert.ok((await keys(`renders/${current.id}/`)) > 0)
    const files = await composer.database.query('select 1 from exercise_bundle_files where removed_version is not null')
    assert.deepEqual(files, [])
    const released = await composer.database.query<{ object_key: string }>('select object_key from unclaimed_objects')
    assert.ok(released.some(({ object_key }) => object_key.endsWith('outro-video-1.mp4')))
    await worker.stop()
  })
})
