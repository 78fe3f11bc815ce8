import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { verifySignedUrl } from '@tendon/object-store'
import { NO_FFMPEG, until } from '@tendon/testing'
import { type Clinic, type Json, refusedAs, startComposer, type TestComposer } from '../../testing.ts'

describe('a composition', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let clinic: Clinic
  let slug: string
  before(async () => {
    composer = await startComposer()
    clinic = await composer.clinic()
    slug = (await composer.bundled(clinic)).slug
    await composer.work()
  })
  after(() => composer.close())

  test('a composition is accepted (202), rendered, and answered with 200 and the same video_id once it is ready', async () => {
    const first = await composer.compose(clinic.admin, slug, { seed: 42 })
    assert.equal(first.status, 202)
    const { video_id, playback_hls_url } = first.body.data
    const early = await composer.call('GET', playback_hls_url.replace(/^http:\/\/[^/]+/, composer.url))
    if (early.status !== 302)
      assert.deepEqual([...refusedAs(early), early.headers.get('retry-after')], [404, 'not_ready', '5'])
    const ready = await composer.ended(clinic.admin, video_id)
    assert.deepEqual([ready.status, ready.progress, ready.error], ['ready', 100, null])
    assert.deepEqual(ready.captions, ['en', 'ro'])
    const again = await composer.compose(clinic.admin, slug, { seed: 42 })
    assert.deepEqual([again.status, again.body.data.video_id], [200, video_id])
    const played = await composer.call('GET', again.body.data.playback_hls_url.replace(/^http:\/\/[^/]+/, composer.url))
    assert.equal(played.status, 302)
    const target = new URL(played.headers.get('location') ?? '')
    assert.equal(target.pathname, `/v1/public/videos/renders/${video_id}/master.m3u8`)
    const key = `renders/${video_id}/master.m3u8`
    const query = Object.fromEntries(target.searchParams)
    const signingKey = composer.config.OBJECT_SIGNING_KEY
    assert.ok(verifySignedUrl({ signingKey, method: 'GET', key, query, now: new Date() }).ok)
    const master = await composer.services.objects.get(key)
    assert.match(Buffer.concat((await master?.body.toArray()) ?? []).toString(), /TYPE=SUBTITLES/)
    assert.ok(ready.poster_url === null || again.body.data.poster_url.includes('poster.jpg'))
  })

  test('a composition needs a manifest (404), a language of it, and sets of 5, 10, 15 or 20 repetitions (422)', async () => {
    const { slug: bare } = await composer.exercise(clinic)
    for (const unknown of [bare, 'no-such-exercise'])
      assert.deepEqual(refusedAs(await composer.compose(clinic.admin, unknown)), [404, 'manifest_not_found'])
    const refused = async (more: object) => {
      const answer = await composer.compose(clinic.admin, slug, more)
      assert.deepEqual(refusedAs(answer), [422, 'validation_failed'], JSON.stringify(more))
      return Object.keys(answer.body.error.fields)
    }
    assert.deepEqual(await refused({ language: 'de' }), ['language'])
    for (const reps of [0, 3, 4, 6, 12, 21, 25, -5, 5.5, '5'])
      assert.deepEqual(await refused({ sets: [{ side: 'left', reps }] }), ['sets.0.reps'])
    assert.deepEqual(await refused({ sets: [{ side: 'up', reps: 5 }] }), ['sets.0.side'])
    await refused({ sets: [] })
    await refused({ sets: Array.from({ length: 21 }, () => ({ side: 'left', reps: 5 })) })
    for (const seed of [1.5, 2 ** 53, 'x', null]) assert.deepEqual(await refused({ seed }), ['seed'])
    const { slug: blocks } = await composer.bundled(clinic, {
      manifest: { reps_per_video_block: 10, counts_per_audio_master: 10 },
    })
    const answer = await composer.compose(clinic.admin, blocks, { sets: [{ side: 'left', reps: 15 }] })
    assert.deepEqual(Object.keys(answer.body.error.fields), ['sets.0.reps'])
  })

  test('names every slot without a variant (422), and refuses kinds that are one video (422)', async () => {
    const { slug: poor } = await composer.bundled(clinic, { without: /rep-right|ro\/outro/ })
    const answer = await composer.compose(clinic.admin, poor, { sets: [{ side: 'right', reps: 5 }], language: 'ro' })
    assert.deepEqual(refusedAs(answer), [422, 'variants_missing'])
    assert.deepEqual(answer.body.error.missing, ['rep-right', 'audio/ro/rep-right', 'audio/ro/outro'])
    const { slug: held } = await composer.bundled(clinic, { manifest: { kind: 'duration_based' } })
    assert.deepEqual(refusedAs(await composer.compose(clinic.admin, held)), [422, 'not_composable'])
    const { slug: changed, id } = await composer.bundled(clinic)
    await composer.database.query(`update exercises set kind = 'static' where id = $1`, [id])
    const still = await composer.compose(clinic.admin, changed)
    assert.deepEqual([...refusedAs(still), still.body.error.kind], [422, 'not_composable', 'static'])
    const { slug: both } = await composer.bundled(clinic, { manifest: { laterality: 'bilateral' } })
    const sets = [
      { side: 'left', reps: 5 },
      { side: 'right', reps: 5 },
    ]
    assert.deepEqual(refusedAs(await composer.compose(clinic.admin, both, { sets })), [422, 'validation_failed'])
  })

  test('a composition of a hundred identical requests is one render', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => composer.compose(clinic.admin, slug, { seed: 100 })),
    )
    assert.deepEqual(
      [...new Set(answers.map(({ status }) => status))].filter((status) => status > 202),
      [],
    )
    assert.equal(new Set(answers.map(({ body }) => body.data.video_id)).size, 1)
    const [row] = await composer.database.query<{ count: number }>(
      'select count(*)::int as count from renders where organization_id = $1 and seed = 100',
      [clinic.id],
    )
    assert.equal(row?.count, 1)
    await composer.ended(clinic.admin, answers[0]?.body.data.video_id)
  })

  test('a composition can be previewed: pieces with their times, and nothing is stored', async () => {
    const count = async () => (await composer.database.query('select 1 from renders')).length
    const before = await count()
    const sets = [{ side: 'left', reps: 10 }]
    const body = { exercise: slug, language: 'en', sets, seed: 3 }
    const { status, body: answer } = await composer.call('POST', '/v1/exercises/compose/preview', {
      as: clinic.admin,
      body,
    })
    assert.equal(status, 200)
    assert.deepEqual(
      answer.data.items.map((item: Json) => [item.slot, item.start_seconds]),
      [
        ['intro', 0],
        ['rep-left', 1],
        ['rep-left', 2],
        ['outro', 3],
      ],
    )
    assert.deepEqual([answer.data.duration_seconds, answer.data.missing], [4, []])
    const { slug: poor } = await composer.bundled(clinic, { without: /outro-video/ })
    const path = '/v1/exercises/compose/preview'
    const lacking = await composer.call('POST', path, { as: clinic.admin, body: { ...body, exercise: poor } })
    assert.deepEqual([lacking.status, lacking.body.data.missing, lacking.body.data.items], [200, ['outro'], []])
    const unknown = await composer.call('POST', path, { as: clinic.admin, body: { ...body, language: 'de' } })
    assert.deepEqual(refusedAs(unknown), [422, 'validation_failed'])
    assert.equal(await count(), before)
  })

  test('a composition belongs to the clinic: others see neither its exercises nor its renders', async () => {
    const other = await composer.clinic()
    assert.deepEqual(refusedAs(await composer.compose(other.admin, slug)), [404, 'manifest_not_found'])
    const { id } = await composer.composed(clinic.admin, slug, { seed: 7 })
    const as = other.admin
    for (const path of [`/v1/renders/${id}`, `/v1/renders/${id}/events`])
      assert.deepEqual(refusedAs(await composer.call('GET', path, { as })), [404, 'render_not_found'])
    assert.deepEqual(refusedAs(await composer.call('POST', `/v1/renders/${id}/cancel`, { as })), [
      404,
      'render_not_found',
    ])
    assert.deepEqual((await composer.call('GET', '/v1/renders', { as })).body.data, [])
    const { slug: shared } = await composer.bundled(null)
    const [mine, theirs] = [await composer.compose(clinic.admin, shared), await composer.compose(as, shared)]
    assert.deepEqual([mine.status, theirs.status], [202, 202])
    assert.notEqual(mine.body.data.video_id, theirs.body.data.video_id)
  })

  test('a composition needs a session (401) and the permission exercises.compose (403)', async () => {
    assert.deepEqual(refusedAs(await composer.call('POST', '/v1/exercises/compose', { body: {} })), [
      401,
      'unauthenticated',
    ])
    const reader = await composer.member(clinic.id, ['exercises.view_published'])
    const refused = await composer.compose(reader, slug)
    assert.deepEqual([...refusedAs(refused), refused.body.error.required], [403, 'forbidden', 'exercises.compose'])
    assert.equal((await composer.call('GET', '/v1/renders', { as: reader })).status, 200)
  })

  test('streams its progress until it has ended, and is in the list', async () => {
    const { body } = await composer.compose(clinic.admin, slug, { seed: 11 })
    const id = body.data.video_id
    const stream = await composer.call('GET', `/v1/renders/${id}/events`, { as: clinic.admin })
    assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.match(stream.body, /"status":"ready","progress":100/)
    const list = await composer.call('GET', `/v1/renders?status=ready&exercise=${slug}`, { as: clinic.admin })
    assert.ok(list.body.data.some((one: Json) => one.id === id))
    const events = await composer.database.query<{ type: string }>(
      `select type from outbox_events where payload ->> 'render_id' = $1`,
      [id],
    )
    assert.deepEqual(events, [{ type: 'render.ready' }])
    const audit = await composer.database.query<{ action: string }>(
      'select action from audit_log where target_id = $1 order by occurred_at, action',
      [id],
    )
    assert.deepEqual(new Set(audit.map(({ action }) => action)), new Set(['renders.request', 'renders.ready']))
  })

  test('fails with the name of the clip that cannot be used, and starts again when asked', async () => {
    const { slug: broken, id: exerciseId } = await composer.bundled(clinic)
    await composer.database.query(
      `update exercise_bundle_files set sha256 = 'broken', object_key = 'bundles/test/broken.mp4'
       where exercise_id = $1 and name = 'outro-video-1.mp4'`,
      [exerciseId],
    )
    const bytes = Buffer.from('no video')
    await composer.services.objects.put('bundles/test/broken.mp4', bytes, { contentType: 'video/mp4', maxBytes: 100 })
    const { body } = await composer.compose(clinic.admin, broken)
    const failed = await composer.ended(clinic.admin, body.data.video_id)
    assert.deepEqual([failed.status, failed.error.code], ['failed', 'bad_clip'])
    assert.match(failed.error.message, /^outro-video-1\.mp4 cannot be used/)
    const again = await composer.compose(clinic.admin, broken)
    assert.deepEqual([again.status, again.body.data.video_id], [202, body.data.video_id])
    await until(async () => (await composer.render(clinic.admin, body.data.video_id)).status === 'failed')
  })

  test('of more than thirty minutes is refused (422)', async () => {
    const { slug: long, id } = await composer.bundled(clinic)
    await composer.database.query(`update exercise_bundle_files set seconds = 119 where exercise_id = $1`, [id])
    const sets = Array.from({ length: 4 }, () => ({ side: 'left', reps: 20 }))
    const refused = await composer.compose(clinic.admin, long, { sets })
    assert.deepEqual(refusedAs(refused), [422, 'composition_too_long'])
    assert.ok(refused.body.error.duration_seconds > 1_800)
  })

  test('a composition at a host whose settings are missing says so (503), and has no link that leads nowhere', async () => {
    const { id, playback_hls_url } = await composer.composed(clinic.admin, slug, { seed: 60 })
    await composer.database.query(`update renders set host_provider = 'bunny', host_reference = 'abc' where id = $1`, [
      id,
    ])
    const refused = await composer.call('GET', playback_hls_url.replace(/^http:\/\/[^/]+/, composer.url))
    assert.deepEqual(refusedAs(refused), [503, 'video_host_not_configured'])
    assert.match(refused.body.error.message, /set BUNNY_CDN_URL/)
    assert.equal((await composer.render(clinic.admin, id)).poster_url, null)
  })

  test('a composition is rendered by the ffmpeg that readiness names', async () => {
    const { body } = await composer.call('GET', '/health/ready')
    assert.match(body.renderer.ffmpeg, /^ffmpeg version/)
    assert.match(body.renderer.message, /^Videos can be rendered/)
    const { isolation } = (await composer.services.ffmpeg?.isolation()) ?? {}
    assert.equal(body.renderer.sandbox, isolation)
    const [started] = composer.log.filter((line) => line.includes('"sandbox"'))
    assert.match(started ?? '', new RegExp(`"sandbox":"${isolation}"`))
  })
})
