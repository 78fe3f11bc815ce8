import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freePort, NO_FFMPEG, until } from '@tendon/testing'
import { buildApp } from '../apps/composer/src/app.ts'
import { createServices } from '../apps/composer/src/create-services.ts'
import { cacheFolder, storeBundle } from '../apps/composer/src/testing.ts'
import type { AttemptTools } from '../apps/composer/src/worker/attempt.ts'
import { buildWorker } from '../apps/composer/src/worker/build-worker.ts'
import { sweep } from '../apps/composer/src/worker/sweep.ts'
import { runsOf } from '../apps/core/src/features/care/session-runs/runs.testing.ts'
import { plansOf } from '../apps/core/src/features/care/treatment-plans/plans.testing.ts'
import { type Json, startCore, type TestCore } from '../apps/core/src/testing/core.ts'
import type { TestOrganization } from '../apps/core/src/testing/people.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('core API and composer together', { skip: NO_FFMPEG }, () => {
  let core: TestCore
  let clinic: TestOrganization
  let tools: AttemptTools
  const closing: (() => Promise<unknown>)[] = []
  let skippedMs = 0
  const now = () => new Date(Date.now() + skippedMs)

  before(async () => {
    const port = await freePort()
    core = await startCore({ env: { COMPOSER_PORT: String(port), COMPOSER_CACHE_DIR: cacheFolder() } })
    const api = createServices(core.config, 'tendon_app', core.database.url)
    const app = buildApp(api, { logStream: { write: () => {} } })
    await app.listen({ host: '127.0.0.1', port })
    const own = { ...createServices(core.config, 'tendon_worker', core.database.url), now }
    const worker = await buildWorker(own, { logStream: { write: () => {} } })
    tools = worker.tools
    closing.push(
      () => worker.stop(),
      () => app.close(),
      () => own.close(),
      () => api.close(),
      () => core.close(),
    )
    clinic = await core.organization()
  })
  after(async () => {
    for (const close of closing) await close()
  })

  const withBundle = async () => {
    const id = await plansOf(core).exercise(clinic)
    const [row] = await core.database.query<{ slug: string }>('select slug from exercises where id = $1', [id])
    await storeBundle(core.services.objects, core.database, { id, slug: row?.slug ?? '' })
    return { id, slug: row?.slug ?? '' }
  }
  const open = async (url: string) => {
    const { pathname, search } = new URL(url)
    const answer = await core.get(pathname + search)
    const target = answer.headers.get('location')
    return target ? core.get(new URL(target).pathname + new URL(target).search) : answer
  }

  test('a composition is requested and played on one origin, with the caller of the core API', async () => {
    const { slug } = await withBundle()
    const body = { exercise: slug, language: 'en', sets: [{ side: 'left', reps: 5 }], seed: 9 }
    const asked = await core.post('/v1/exercises/compose', { as: clinic.admin, body })
    assert.equal(asked.status, 202, asked.text)
    const { video_id } = asked.body.data
    const stream = await core.get(`/v1/renders/${video_id}/events`, { as: clinic.admin })
    assert.match(stream.text, /"status":"ready"/)
    const ready = await core.post('/v1/exercises/compose', { as: clinic.admin, body })
    assert.deepEqual([ready.status, ready.body.data.video_id], [200, video_id])
    const master = await open(ready.body.data.playback_hls_url)
    assert.equal(master.status, 200)
    const audio = /TYPE=AUDIO.*URI="([^"]+)"/.exec(master.text)?.[1] ?? ''
    assert.match((await open(audio)).text, /#EXT-X-ENDLIST/)
    assert.equal((await core.get('/v1/renders')).status, 401)
    const bundle = await core.get(`/v1/exercises/${slug}/bundle`, { as: clinic.admin })
    assert.equal(bundle.body.data.asset_version, 1)
    const gone = await core.delete(`/v1/exercises/${slug}/bundle/files/intro-video-1.mp4`, { as: clinic.admin })
    assert.equal(gone.status, 204)
  })

  test('a plan that becomes active gets a film for each exercise with a bundle, and the run plays it', async () => {
    const { id, slug } = await withBundle()
    const runs = runsOf(core)
    const person = await core.signIn()
    await core.database.query(`update humans set preferred_language = 'ro' where id = $1`, [person.id])
    const other = await plansOf(core).exercise(clinic)
    const planned = { exercise_id: id, sets: 2, reps: 5, side: 'left' }
    const odd = { exercise_id: id, sets: 2, reps: 7 }
    const patient = await runs.patient(clinic, { person, exercises: [planned, other, odd] })
    const run = await runs.started(patient)
    const payload = async () =>
      (await core.get(`/v1/session-runs/${run}/payload`, { as: person })).body.data.exercises as Json[]
    const film = await until(async () => {
      const [first] = await payload()
      return first.video_url.includes('/renders/') ? first : undefined
    })
    const [, second, third] = await payload()
    for (const own of [second, third]) assert.equal(own.video_url, 'https://video.example/x.m3u8')
    assert.match((await open(film.video_url)).text, /LANGUAGE="ro",DEFAULT=YES/)
    assert.ok(film.video_duration_seconds > 3)
    const [render] = await core.database.query<Json>(
      `select language, sets from renders r join exercises e on e.id = r.exercise_id where e.slug = $1`,
      [slug],
    )
    const set = { side: 'left', reps: 5 }
    assert.deepEqual(render, { language: 'ro', sets: [set, set] })
  })

  test('the film of a plan stays when its bundle is replaced, and plays; it goes a day after the plan dropped it', async () => {
    const { id, slug } = await withBundle()
    const person = await core.signIn()
    const planned = { exercise_id: id, sets: 1, reps: 5, side: 'left' }
    const patient = await runsOf(core).patient(clinic, { person, exercises: [planned] })
    const run = await runsOf(core).started(patient)
    const film = () =>
      until(async () => {
        const { body } = await core.get(`/v1/session-runs/${run}/payload`, { as: person })
        const [first] = body.data.exercises as Json[]
        return first.video_url.includes('/renders/') ? (first.video_url as string) : undefined
      })
    await film()
    const outro = `/v1/exercises/${slug}/bundle/files/outro-video-1.mp4`
    assert.equal((await core.delete(outro, { as: clinic.admin })).status, 204)
    const renders = () => core.database.query('select 1 from renders where exercise_id = $1', [id])
    const later = { ...tools, services: { ...tools.services, now: () => new Date(now().getTime() + 2 * DAY_MS) } }
    await sweep(later)
    assert.equal((await renders()).length, 1)
    assert.match((await open(await film())).text, /#EXT-X-STREAM-INF/)
    await core.database.query('update session_exercises set removed_at = now() where id = $1', [patient.exercises[0]])
    await sweep(later)
    assert.deepEqual(await renders(), [])
  })

  test('a film that the quota left out is requested later', async () => {
    const { id } = await withBundle()
    await core.database.query(
      `insert into renders (organization_id, exercise_id, asset_version, manifest, language, sets, seed, fingerprint, status)
       select $1, $2, 1, '{}', 'en', '[]', n, 'filler-' || n, 'cancelled' from generate_series(1, 200) n`,
      [clinic.id, id],
    )
    const planned = { exercise_id: id, sets: 1, reps: 10, side: 'right' }
    const patient = await runsOf(core).patient(clinic, { exercises: [planned] })
    const filmOf = async () => {
      const [row] = await core.database.query<{ film_render_id: string | null; later: boolean }>(
        'select film_render_id, film_due_at > now() + $2::interval as later from session_exercises where id = $1',
        [patient.exercises[0], '5 minutes'],
      )
      return row
    }
    await until(async () => (await filmOf())?.later)
    assert.equal((await filmOf())?.film_render_id, null)
    await core.database.query(`delete from renders where fingerprint like 'filler-%'`)
    // The refusal of an attempt under way may put it off once more.
    await until(async () => {
      skippedMs += 11 * 60 * 1000
      return (await filmOf())?.film_render_id
    })
  })

  test('without a composer the core API says so (503), and everything else works', async () => {
    const alone = await startCore({ env: { COMPOSER_PORT: String(await freePort()) } })
    const answer = await alone.post('/v1/exercises/compose', { body: {} })
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'composer_unavailable'])
    assert.equal((await alone.get('/health')).status, 200)
    await alone.close()
  })
})
