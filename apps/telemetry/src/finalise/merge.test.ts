import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pickFrom, randomFrom, soakRuns, soakSeed, until } from '@tendon/testing'
import { SILENCE_TIMEOUT_MS } from '../runs/ingest.ts'
import { mediaEvent, type TestRun } from '../testing.ts'
import {
  createFinaliseSurroundings,
  type FinaliseSurroundings,
  type MediaRow,
  type Service,
} from './finalise.testing.ts'
import { STEPS } from './finalise.ts'

describe('a run written out of order', () => {
  let around: FinaliseSurroundings
  before(async () => {
    around = await createFinaliseSurroundings()
  })
  after(() => around.close())

  /** One service has the start, another has written the end. */
  async function ended({ first, second }: { first: Service; second: Service }): Promise<TestRun> {
    const run = await around.clinic.newRun()
    await around.events(first, run, mediaEvent('session_start'), mediaEvent('video_played', 1))
    await around.pose(first, run, 1, 2)
    await around.pose(second, run, 3)
    await around.events(second, run, mediaEvent('video_played', 1), mediaEvent('session_end', 60))
    await around.flushed(run)
    await around.isDone(second)
    return run
  }

  async function isWhole(run: TestRun, marks = [1, 2, 3], events = 3): Promise<void> {
    const [row, ...more] = await around.rowsOf<MediaRow>('media_session_metrics', run)
    assert.deepEqual([row?.is_complete, row?.event_count, more.length], [true, events, 0])
    assert.deepEqual(await around.marksOf(run), marks)
    assert.equal((await around.blobs(run)).length, 1)
    assert.equal((await around.rowsOf('replay_blobs', run)).length, 1)
  }

  /** Holds back every replay of a service until released; `isHeld` once it has stored one. */
  function holdingReplays() {
    const gate = Promise.withResolvers<void>()
    const state = { isHeld: false }
    const put: typeof around.objects.put = async (...given) => {
      const stored = await around.objects.put(...given)
      state.isHeld = true
      await gate.promise
      return stored
    }
    return { objects: { ...around.objects, put }, state, release: () => gate.resolve() }
  }

  test('data received by another service before the end is added, and the run stays ended', async () => {
    const [first, second] = [await around.start(), await around.start()]
    const run = await ended({ first, second })
    await around.silence(first)
    await around.flushed(run, 2)
    await around.isDone(first)
    await isWhole(run)
    assert.doesNotMatch(await first.registry.metrics(), /recording_after_end/)
    const kept = await around.rowsOf<{ events: unknown[] | null }>('run_finalisations', run)
    assert.deepEqual(
      kept.map(({ events }) => events !== null),
      [false, true],
      'the events are kept once',
    )
    for (const service of [first, second]) await service.stop()
  })

  test('data after the end is dropped, also by a service that has earlier data of the run', async () => {
    const [first, second] = [await around.start(), await around.start()]
    const run = await ended({ first, second })
    await around.silence(first)
    await around.flushed(run, 2)
    await around.pose(first, run, 9)
    await around.silence(first)
    await around.isDone(first)
    await isWhole(run)
    assert.match(await first.registry.metrics(), /name="recording_after_end",service="telemetry"} 1/)
    for (const service of [first, second]) await service.stop()
  })

  test('a replay stored by a killed process is deleted when its recording turns out to be late', async () => {
    const kill = { afterStep: (step: string) => step === 'blob' && assert.fail('killed') }
    const [first, second] = [await around.start({ replaced: kill }), await around.start()]
    const run = await around.clinic.newRun()
    await around.pose(second, run, 1)
    const began = around.clock.now
    await around.pose(first, run, 9)
    await around.silence(first)
    await until(async () => (await around.blobs(run)).length === 1)
    const disk = first.disk.killed()
    await first.stop()
    around.clock.now = began
    await around.events(second, run, mediaEvent('session_start'), mediaEvent('session_end', 60))
    await around.isDone(second)
    const third = await around.start({ disk })
    await around.isDone(third)
    await isWhole(run, [1], 2)
    for (const service of [second, third]) await service.stop()
  })

  for (const step of STEPS) {
    test(`killed after the step "${step}" of adding to it: the next process reaches the same result`, async () => {
      let killed = false
      const afterStep: (done: string) => void = (done) => {
        if (!killed && done !== step) return
        killed = true
        throw new Error('killed')
      }
      const [first, second] = [await around.start({ replaced: { afterStep } }), await around.start()]
      const run = await ended({ first, second })
      await around.silence(first)
      await until(() => killed)
      const disk = first.disk.killed()
      void first.stop()
      const third = await around.start({ disk })
      await around.flushed(run, 2)
      await around.isDone(third)
      await isWhole(run)
      for (const service of [second, third]) await service.stop()
    })
  }

  for (const [slow, fast] of [
    ['the end', 'the beginning'],
    ['the beginning', 'the end'],
  ] as const) {
    test(`both at once, ${fast} written while ${slow} is in progress: neither replaces the other`, async () => {
      const held = holdingReplays()
      const replaced = { objects: held.objects, retryPauseMs: () => 1 }
      const [first, second] =
        slow === 'the end'
          ? [await around.start(), await around.start({ replaced })]
          : [await around.start({ replaced }), await around.start()]
      const run = await around.clinic.newRun()
      await around.events(first, run, mediaEvent('session_start'))
      await around.pose(first, run, 1, 2)
      await around.pose(second, run, 3)
      const finish = [
        () => around.silence(first),
        () => around.events(second, run, mediaEvent('video_played', 1), mediaEvent('session_end', 60)),
      ]
      if (slow === 'the end') {
        await finish[1]?.()
        await until(() => held.state.isHeld)
        await finish[0]?.()
        await around.isDone(first)
      } else {
        await finish[0]?.()
        await until(() => held.state.isHeld)
        await finish[1]?.()
        await around.isDone(second)
      }
      held.release()
      await Promise.all([around.isDone(first), around.isDone(second)])
      await isWhole(run)
      for (const service of [first, second]) await service.stop()
    })
  }

  test('whichever of three services receives or is killed: all data is stored once', async () => {
    const random = randomFrom(soakSeed())
    const pick = pickFrom(random)
    for (let round = 0; round < soakRuns(5); round += 1) {
      const replaced = { retryPauseMs: () => 1 }
      const services = await Promise.all([1, 2, 3].map(() => around.start({ replaced })))
      const run = await around.clinic.newRun()
      const marks = Array.from({ length: 12 }, (_, at) => at + 1)
      for (const mark of marks) {
        await around.pose(pick(services), run, mark)
        await around.events(pick(services), run, mediaEvent('video_played', mark))
      }
      await around.events(pick(services), run, mediaEvent('session_end', 60))
      around.clock.now += SILENCE_TIMEOUT_MS
      await Promise.all(services.map(({ ingest }) => ingest.sealSilent()))
      const killed = Math.floor(random() * 3)
      const disk = services[killed]?.disk.killed()
      await services[killed]?.stop()
      if (disk) services[killed] = await around.start({ disk, replaced })
      await Promise.all(services.map((service) => around.isDone(service)))
      const [row] = await around.rowsOf<MediaRow>('media_session_metrics', run)
      assert.deepEqual([row?.is_complete, row?.event_count], [true, marks.length + 1])
      assert.deepEqual(
        (await around.marksOf(run)).sort((a, b) => a - b),
        marks,
      )
      assert.equal((await around.blobs(run)).length, 1)
      await Promise.all(services.map((service) => service.stop()))
    }
  })

  test('nothing is stored of a patient who is erased while data is added', async () => {
    const held = holdingReplays()
    const [first, second] = [await around.start({ replaced: { objects: held.objects } }), await around.start()]
    const run = await ended({ first, second })
    await around.silence(first)
    await until(() => held.state.isHeld)
    for (const table of ['replay_blobs', 'run_manifests'])
      await around.database.query(`delete from ${table} where run_id = $1`, [run.id])
    held.release()
    await around.isDone(first)
    assert.deepEqual(await around.blobs(run), [])
    for (const table of ['replay_blobs', 'media_session_metrics', 'run_finalisations'])
      assert.deepEqual(await around.rowsOf(table, run), [])
    for (const service of [first, second]) await service.stop()
  })

  test('data for a run whose events have expired is set aside and replaces nothing', async () => {
    const [first, second] = [await around.start({ replaced: { retryPauseMs: () => 1 } }), await around.start()]
    const run = await ended({ first, second })
    await around.database.query('update run_finalisations set events = null where run_id = $1', [run.id])
    await around.silence(first)
    await until(() => [...first.disk.files.keys()].some((name) => name.startsWith('aside')))
    await isWhole(run, [3], 2)
    for (const service of [first, second]) await service.stop()
  })

  test('a clock set back between two recordings does not reverse their order', async () => {
    const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
    const db = { tenant: away, ping: away, assertSafe: away }
    const first = await around.start({ replaced: { db } })
    const run = await around.clinic.newRun()
    await around.events(first, run, mediaEvent('session_start'))
    await around.pose(first, run, 1, 2)
    await around.silence(first)
    around.clock.now -= 30 * 60_000
    await around.pose(first, run, 3)
    await around.events(first, run, mediaEvent('video_played', 1), mediaEvent('session_end', 60))
    const disk = first.disk.killed()
    await first.stop()
    const second = await around.start({ disk })
    await around.flushed(run, 2)
    await around.isDone(second)
    await isWhole(run)
    assert.ok(second.ingest.hasEnded(run.id))
    await second.stop()
  })
})
