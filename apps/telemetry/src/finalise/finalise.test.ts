import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { ObjectStore } from '@tendon/object-store'
import { until } from '@tendon/testing'
import { gzipOf, mediaEvent, type TestRun } from '../testing.ts'
import { createFinaliseSurroundings, type FinaliseSurroundings, type MediaRow } from './finalise.testing.ts'
import { STEPS } from './finalise.ts'

const at = (position_seconds: number, more: object = {}) => ({ position_seconds, ...more })

describe('finalise', () => {
  let around: FinaliseSurroundings
  before(async () => {
    around = await createFinaliseSurroundings()
  })
  after(() => around.close())

  test('the end of a session writes every row and one replay, and releases the log', async () => {
    const service = await around.start()
    const items = [
      { media_id: 'squat', exercise_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17', pose_config: null },
      { media_id: 'lunge', exercise_id: null, pose_config: null },
    ]
    const run = await around.clinic.newRun(items)
    await around.events(
      service,
      run,
      mediaEvent('session_start', 0, { video_load_time_ms: 300, connection_type: 'wifi' }),
      mediaEvent('video_played', 1, at(0)),
      mediaEvent('buffering_start', 5, at(4, { reason: 'network' })),
      mediaEvent('buffering_end', 6, at(4, { duration_ms: 1_000 })),
      mediaEvent('video_paused', 16, at(14)),
      mediaEvent('video_played', 20, at(0), 'lunge'),
    )
    await around.pose(service, run, 1, 2, 3)
    await service.pose(run, gzipOf(3, 3, 300), { 'x-batch-meta': '{"camera_resolution":"640x480"}' })
    await service.view(run, { media_id: 'plank', viewed_at: '2026-11-15T09:00:00Z', duration_seconds: 7 })
    await around.events(service, run, mediaEvent('session_end', 30, at(10, { reason: 'completed' }), 'lunge'))
    const media = await around.flushed(run)
    await around.isDone(service)
    assert.deepEqual(
      [media.is_complete, media.end_reason, media.event_count, media.watch_seconds, media.version],
      [true, 'completed', 7, 24, 1],
    )
    assert.equal(media.patient_profile_id, around.clinic.profileId)
    assert.equal(media.organization_id, around.clinic.organizationId)
    const itemRows = await around.rowsOf<{ media_id: string; ended_at: Date; start_data: object | null }>(
      'media_item_metrics',
      run,
    )
    assert.deepEqual(
      itemRows.map(({ media_id, ended_at, start_data }) => [media_id, ended_at.toISOString(), start_data]),
      [
        ['squat', '2026-11-15T09:00:16.000Z', { video_load_time_ms: 300, connection_type: 'wifi' }],
        ['lunge', '2026-11-15T09:00:30.000Z', null],
      ],
    )
    const [buffering] = await around.rowsOf('media_buffering_events', run)
    assert.deepEqual([buffering?.reason, buffering?.duration_ms], ['network', '1000'])
    const exercises = await around.rowsOf('pose_session_metrics', run)
    assert.deepEqual(
      exercises.map(({ media_id, exercise_id, measured }) => [media_id, exercise_id, measured]),
      items.map(({ media_id, exercise_id }) => [media_id, exercise_id, false]),
    )
    const [view] = await around.rowsOf('library_views', run)
    assert.deepEqual([view?.media_id, view?.duration_seconds], ['plank', 7])
    const [blob] = await around.rowsOf('replay_blobs', run)
    assert.deepEqual([blob?.frame_count, blob?.batch_count, blob?.capture], [12, 4, { camera_resolution: '640x480' }])
    const replay = await around.replayOf(run.id)
    assert.ok(replay)
    assert.equal(Number(blob?.bytes), replay.length)
    assert.deepEqual(await around.marksOf(run), [1, 2, 3, 3], 'duplicates are appended')
    assert.equal(gunzipSync(replay).length, 4 * (9 + 3 * 532), 'one gzip stream')
    assert.ok([...service.disk.files].every(([name, { content }]) => !name.startsWith('bulk') || content.length === 0))
    await service.stop()
  })

  test('a run with only its end, and one with only frames', async () => {
    const service = await around.start()
    const [silentOne, blindOne] = [await around.clinic.newRun(), await around.clinic.newRun()]
    await around.events(service, silentOne, mediaEvent('session_end'))
    const row = await around.flushed(silentOne)
    assert.deepEqual([row.is_complete, row.event_count], [true, 1])
    assert.deepEqual(await around.blobs(silentOne), [])
    await around.pose(service, blindOne, 7)
    await around.silence(service)
    const incomplete = await around.flushed(blindOne)
    assert.deepEqual([incomplete.is_complete, incomplete.event_count, incomplete.ended_at], [false, 0, null])
    await service.stop()
  })

  test('no time or number from a client prevents its run from being written', async () => {
    const service = await around.start()
    const run = await around.clinic.newRun()
    const first = { ...mediaEvent('buffering_start'), timestamp: '2000-01-01T00:00:00.000Z' }
    const last = (event: Parameters<typeof mediaEvent>[0], data: Record<string, unknown> = {}) => ({
      ...mediaEvent(event, 0, data),
      timestamp: '2099-12-31T23:59:59.999Z',
    })
    await around.events(service, run, first, { ...first, event: 'page_hidden' }, { ...first, event: 'session_start' })
    await around.events(service, run, last('buffering_end'), last('dropped_frames', { dropped: 1e9, total: 1e9 }))
    await around.events(service, run, last('watch_pct_25', at(1e6, { watched_seconds: 1e6 })), last('session_end'))
    await around.flushed(run)
    const [row] = await around.rowsOf<{ startup_ms: number | null }>('media_session_metrics', run)
    assert.equal(row?.startup_ms, null)
    await service.stop()
  })

  test('twenty ends at once with late data give one set of rows and one replay', async () => {
    const service = await around.start()
    const run = await around.clinic.newRun()
    await around.events(service, run, mediaEvent('session_start'))
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, (_, mark) => service.pose(run, gzipOf(mark))),
      ...Array.from({ length: 20 }, (_, second) => service.event(run, mediaEvent('session_end', second))),
      ...Array.from({ length: 20 }, (_, second) => service.event(run, mediaEvent('video_paused', second))),
    ])
    assert.ok(answers.every(({ status }) => status === 202))
    await around.flushed(run)
    await around.isDone(service)
    const taken = answers.reduce((sum, { body }) => sum + (body.frames_accepted ?? 0), 0)
    const [blob] = await around.rowsOf<{ frame_count: number }>('replay_blobs', run)
    assert.equal(blob?.frame_count ?? 0, taken)
    assert.equal((await around.rowsOf('media_session_metrics', run)).length, 1)
    assert.equal((await around.rowsOf('run_finalisations', run)).length, 1)
    assert.equal((await around.blobs(run)).length, taken > 0 ? 1 : 0)
    await service.stop()
  })

  test('after a silence the run is incomplete; new data resumes it and replaces rows and replay', async () => {
    const service = await around.start()
    const run = await around.clinic.newRun()
    await around.events(service, run, mediaEvent('session_start'), mediaEvent('video_played', 1, at(0)))
    await around.pose(service, run, 1, 2)
    await around.silence(service)
    const first = await around.flushed(run)
    await around.isDone(service)
    assert.deepEqual([first.version, first.is_complete, first.event_count], [1, false, 2])
    const [before] = await around.blobs(run)
    assert.deepEqual(await around.marksOf(run), [1, 2])

    await around.events(service, run, mediaEvent('video_played', 1, at(0)), mediaEvent('video_paused', 11, at(10)))
    await around.pose(service, run, 3)
    await around.silence(service)
    const second = await around.flushed(run, 2)
    assert.deepEqual([second.version, second.is_complete, second.event_count, second.watch_seconds], [2, false, 3, 10])

    await around.isDone(service)
    await around.pose(service, run, 4)
    await around.events(service, run, mediaEvent('session_end', 20))
    const third = await around.flushed(run, 3)
    await around.isDone(service)
    assert.deepEqual([third.version, third.is_complete, third.event_count], [3, true, 4])
    assert.deepEqual(await around.marksOf(run), [1, 2, 3, 4])
    const after = await around.blobs(run)
    assert.equal(after.length, 1, 'the replays of the versions before are gone')
    assert.notEqual(after[0], before)
    assert.equal((await around.rowsOf('replay_blobs', run)).length, 1)
    assert.equal((await around.rowsOf('media_session_metrics', run)).length, 1)
    const kept = await around.rowsOf<{ events: unknown }>('run_finalisations', run)
    assert.deepEqual(
      kept.map(({ events }) => events !== null),
      [false, false, true],
    )
    await service.stop()
  })

  for (const step of STEPS) {
    for (const end of ['session_end', 'silence'] as const) {
      test(`killed after the step "${step}" by ${end}: the next process reaches the same result`, async () => {
        const run = await around.clinic.newRun()
        const kill = new Error('killed')
        let killed = false
        const first = await around.start({
          replaced: {
            afterStep: (done) => {
              if (killed || done === step) {
                killed = true
                throw kill
              }
            },
          },
        })
        await around.events(first, run, mediaEvent('session_start'), mediaEvent('video_played', 1, at(0)))
        await around.pose(first, run, 1, 2)
        if (end === 'silence') await around.silence(first)
        else await around.events(first, run, mediaEvent('session_end', 9, at(8)))
        await until(() => killed)
        const disk = first.disk.killed()
        void first.stop()
        const second = await around.start({ disk })
        const row = await around.flushed(run)
        await around.isDone(second)
        assert.deepEqual([row.version, row.is_complete], [1, end === 'session_end'])
        assert.equal((await around.rowsOf('media_session_metrics', run)).length, 1)
        assert.equal((await around.blobs(run)).length, 1)
        assert.deepEqual(await around.marksOf(run), [1, 2])
        const late = await second.pose(run, gzipOf(9))
        assert.equal(late.body.frames_accepted, end === 'session_end' ? 0 : 3)
        await second.stop()
      })
    }
  }

  test('data is accepted while the database or the object store is unavailable, and finalised afterwards', async () => {
    const away = { database: true, objects: true }
    const outage = () => Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    const objects: ObjectStore = {
      ...around.objects,
      put: (...given) => (away.objects ? Promise.reject(outage()) : around.objects.put(...given)),
      head: (...given) => (away.objects ? Promise.reject(outage()) : around.objects.head(...given)),
    }
    const db = {
      ping: () => (away.database ? Promise.reject(outage()) : around.db.ping()),
      assertSafe: () => (away.database ? Promise.reject(outage()) : around.db.assertSafe()),
      tenant: ((...given: Parameters<typeof around.db.tenant>) =>
        away.database ? Promise.reject(outage()) : around.db.tenant(...given)) as typeof around.db.tenant,
    }
    const service = await around.start({ replaced: { db, objects } })
    const run = await around.clinic.newRun()
    await around.pose(service, run, 1, 2)
    await around.events(service, run, mediaEvent('session_end'))
    await until(async () => /telemetry_failures_total{what="finalise"/.test(await service.registry.metrics()))
    assert.equal((await around.rowsOf('media_session_metrics', run)).length, 0)
    away.database = false
    await until(async () => (await around.rowsOf('run_finalisations', run)).length === 1)
    assert.deepEqual(await around.blobs(run), [])
    away.objects = false
    await around.flushed(run)
    assert.deepEqual(await around.marksOf(run), [1, 2])
    assert.deepEqual(service.fatal, [])
    await service.stop()
  })

  test('nothing is stored of an erased patient, before or while the rows are written', async () => {
    const gone = await around.clinic.newRun()
    const going = await around.clinic.newRun()
    const forget = (run: TestRun) => around.database.query('delete from run_manifests where run_id = $1', [run.id])
    let erase: Promise<unknown> | undefined
    const service = await around.start({
      replaced: {
        objects: {
          ...around.objects,
          async put(key, ...rest) {
            const stored = await around.objects.put(key, ...rest)
            if (key.includes(going.id)) erase = forget(going)
            await erase
            return stored
          },
        },
      },
    })
    for (const run of [gone, going]) await around.pose(service, run, 1)
    await forget(gone)
    for (const run of [gone, going]) await around.events(service, run, mediaEvent('session_end'))
    await around.isDone(service)
    for (const run of [gone, going]) {
      assert.deepEqual(await around.blobs(run), [])
      assert.deepEqual(await around.rowsOf('replay_blobs', run), [])
      assert.deepEqual(await around.rowsOf('media_session_metrics', run), [])
    }
    assert.match(
      await service.registry.metrics(),
      /telemetry_discards_total{name="recording_without_manifest",service="telemetry"} 2/,
    )
    await service.stop()
  })

  test('a replay stored by a killed process is deleted when the patient was erased meanwhile', async () => {
    const run = await around.clinic.newRun()
    const first = await around.start({
      replaced: {
        afterStep: (step) => {
          if (step === 'blob') throw new Error('killed')
        },
      },
    })
    await around.pose(first, run, 1)
    await around.events(first, run, mediaEvent('session_end'))
    await until(async () => (await around.blobs(run)).length === 1)
    const disk = first.disk.killed()
    await first.stop()
    await around.database.query('delete from run_manifests where run_id = $1', [run.id])
    const second = await around.start({ disk })
    await around.isDone(second)
    assert.deepEqual(await around.blobs(run), [])
    await second.stop()
  })

  test('camera details are kept when the run is resumed without them', async () => {
    const service = await around.start()
    const run = await around.clinic.newRun()
    await service.pose(run, gzipOf(1), { 'x-batch-meta': '{"camera_resolution":"640x480"}' })
    await around.silence(service)
    await around.isDone(service)
    await around.pose(service, run, 2)
    await around.events(service, run, mediaEvent('session_end'))
    await around.flushed(run, 2)
    await around.isDone(service)
    const [blob] = await around.rowsOf('replay_blobs', run)
    assert.deepEqual(blob?.capture, { camera_resolution: '640x480' })
    await service.stop()
  })

  test('data after an end that the service has forgotten is not written', async () => {
    const first = await around.start()
    const run = await around.clinic.newRun()
    await around.pose(first, run, 1)
    await around.events(first, run, mediaEvent('session_end'))
    await around.flushed(run)
    await first.stop()
    const second = await around.start() // with an empty log
    await around.pose(second, run, 2)
    await around.silence(second)
    await around.isDone(second)
    assert.deepEqual(await around.marksOf(run), [1])
    assert.equal((await around.rowsOf<MediaRow>('media_session_metrics', run))[0]?.version, 1)
    assert.match(await second.registry.metrics(), /name="recording_after_end"/)
    await second.stop()
  })
})
