import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { MANIFEST, NO_FFMPEG } from './rendering/clips.testing.ts'
import { type Clinic, refusedAs, startComposer, type TestComposer } from './testing.ts'

const INSTALL = /apt-get install ffmpeg.*brew install ffmpeg.*FFMPEG_PATH/

// Skipped without ffmpeg, because the test creates its bundle with it.
describe('a composer whose PATH has no ffmpeg', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let clinic: Clinic
  before(async () => {
    composer = await startComposer({ env: { PATH: '/nowhere:relative' } })
    clinic = await composer.clinic()
  })
  after(() => composer.close())

  test('refuses a composition and says what is missing and how to get it (503)', async () => {
    const { slug } = await composer.bundled(clinic)
    const answer = await composer.compose(clinic.admin, slug)
    assert.deepEqual(refusedAs(answer), [503, 'renderer_unavailable'])
    assert.match(answer.body.error.message, /: ffmpeg is not installed/)
    assert.match(answer.body.error.message, INSTALL)
    assert.deepEqual(await composer.database.query('select 1 from renders'), [])
  })

  test('is ready, and its readiness names the missing program', async () => {
    const { status, body } = await composer.call('GET', '/health/ready')
    assert.deepEqual([status, body.ready, body.renderer.ffmpeg], [200, true, null])
    assert.match(body.renderer.message, INSTALL)
  })

  test('does everything else: bundles, previews, lists, webhooks', async () => {
    const { slug } = await composer.bundled(clinic)
    const as = clinic.admin
    const body = { exercise: slug, language: 'en', sets: [{ side: 'left', reps: 5 }], seed: 1 }
    const preview = await composer.call('POST', '/v1/exercises/compose/preview', { as, body })
    assert.deepEqual([preview.status, preview.body.data.missing], [200, []])
    const bundle = `/v1/exercises/${slug}/bundle`
    assert.equal((await composer.call('GET', bundle, { as })).status, 200)
    const manifest = { ...MANIFEST, exercise: slug, languages: ['en'] }
    assert.equal((await composer.call('PUT', bundle, { as, body: manifest })).body.data.asset_version, 2)
    const vtt = { 'content-type': 'text/vtt' }
    const captions = 'WEBVTT\n\n00:00.000 --> 00:01.000\nUp.\n'
    const file = `${bundle}/files/audio/en/intro-vo-2.vtt`
    assert.equal((await composer.call('PUT', file, { as, body: captions, headers: vtt })).status, 200)
    assert.equal((await composer.call('GET', '/v1/renders', { as })).status, 200)
    const webhook = { VideoLibraryId: 1, VideoGuid: 'x', Status: 4 }
    assert.equal((await composer.call('POST', '/webhooks/videohost', { body: webhook })).status, 200)
  })

  test('has a worker that logs this once and renders nothing', async () => {
    const worker = await composer.work()
    await until(() => composer.log.some((line) => line.includes('ffmpeg is not installed: nothing is rendered')))
    await worker.stop()
    assert.equal(composer.log.filter((line) => line.includes('nothing is rendered')).length, 1)
  })

  test('names the program of FFMPEG_PATH when that is missing', async () => {
    const other = await startComposer({ env: { FFMPEG_PATH: '/nowhere/ffmpeg' } })
    const answer = await other.compose((await other.clinic()).admin, 'any-exercise')
    assert.deepEqual(refusedAs(answer), [503, 'renderer_unavailable'])
    assert.match(answer.body.error.message, /\/nowhere\/ffmpeg is not installed/)
    await other.close()
  })
})
