import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { BUNDLE_TYPES } from '@tendon/contracts'
import { until } from '@tendon/testing'
import { MANIFEST } from './rendering/clips.testing.ts'
import { type Clinic, refusedAs, startComposer, type TestComposer } from './testing.ts'

const INSTALL = /apt-get install ffmpeg.*brew install ffmpeg.*FFMPEG_PATH/
/** A finished bundle: nothing has to make one. */
const FILMS = join(import.meta.dirname, '../../../scripts/demo-films/films/elbow-flexion')
const TYPES: Readonly<Record<string, string>> = BUNDLE_TYPES

// Runs everywhere, with and without an ffmpeg on the machine.
describe('a composer whose PATH has no ffmpeg', () => {
  let composer: TestComposer
  let clinic: Clinic
  let slug: string
  before(async () => {
    composer = await startComposer({ env: { PATH: '/nowhere:relative' } })
    clinic = await composer.clinic()
    slug = (await composer.exercise(clinic)).slug
  })
  after(() => composer.close())

  test('a composer whose PATH has no ffmpeg takes a bundle, file by file, and previews a composition of it', async () => {
    const as = clinic.admin
    const bundle = `/v1/exercises/${slug}/bundle`
    const manifest = { ...MANIFEST, exercise: slug, languages: ['en'] }
    assert.equal((await composer.call('PUT', bundle, { as, body: manifest })).status, 200)
    const names = readdirSync(FILMS, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('film.') && !name.startsWith('audio/ro') && name.slice(-3) in TYPES)
      .sort()
    for (const name of names) {
      const body = readFileSync(join(FILMS, name))
      const headers = { 'content-type': TYPES[name.slice(-3)] ?? '' }
      const { status, body: answer } = await composer.call('PUT', `${bundle}/files/${name}`, { as, body, headers })
      assert.equal(status, 200, `${name}: ${JSON.stringify(answer)}`)
    }
    const { body: stored } = await composer.call('GET', bundle, { as })
    assert.equal(stored.data.asset_version, 1 + names.length)
    const body = { exercise: slug, language: 'en', sets: [{ side: 'left', reps: 5 }], seed: 1 }
    const preview = await composer.call('POST', '/v1/exercises/compose/preview', { as, body })
    assert.deepEqual([preview.status, preview.body.data.missing], [200, []])
  })

  test('a composer whose PATH has no ffmpeg refuses the composition and says what is missing and how to get it (503)', async () => {
    const answer = await composer.compose(clinic.admin, slug)
    assert.deepEqual(refusedAs(answer), [503, 'renderer_unavailable'])
    assert.match(answer.body.error.message, /: ffmpeg is not installed/)
    assert.match(answer.body.error.message, INSTALL)
    assert.deepEqual(await composer.database.query('select 1 from renders'), [])
  })

  test('a composer whose PATH has no ffmpeg is ready, and its readiness names the missing program', async () => {
    const { status, body } = await composer.call('GET', '/health/ready')
    assert.deepEqual([status, body.ready, body.renderer.ffmpeg, body.renderer.sandbox], [200, true, null, null])
    assert.match(body.renderer.message, INSTALL)
  })

  test('a composer whose PATH has no ffmpeg lists renders and takes messages of the video host', async () => {
    assert.equal((await composer.call('GET', '/v1/renders', { as: clinic.admin })).status, 200)
    const webhook = { VideoLibraryId: 1, VideoGuid: 'x', Status: 4 }
    assert.equal((await composer.call('POST', '/webhooks/videohost', { body: webhook })).status, 200)
  })

  test('a composer whose PATH has no ffmpeg has a worker that logs this once and renders nothing', async () => {
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
