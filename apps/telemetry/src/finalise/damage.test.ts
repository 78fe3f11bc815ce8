import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import type { MemoryDisk } from '../log/memory-files.testing.ts'
import { copyOf, type Origin } from '../log/record.ts'
import { RunLog } from '../log/run-log.ts'
import { SILENCE_TIMEOUT_MS } from '../runs/ingest.ts'
import { mediaEvent, type TestRun } from '../testing.ts'
import { createFinaliseSurroundings, type FinaliseSurroundings, type Service } from './finalise.testing.ts'

/** Flips one bit at each of these positions of a log. */
function damage(disk: MemoryDisk, log: string, ...places: number[]): void {
  const [name = ''] = [...disk.files.keys()].filter((file) => file.startsWith(log))
  const file = disk.files.get(name)
  assert.ok(file)
  for (const place of places) file.content[place] = (file.content[place] ?? 0) ^ 1
}

describe('unreadable data of a run', () => {
  let around: FinaliseSurroundings
  before(async () => {
    around = await createFinaliseSurroundings()
  })
  after(() => around.close())

  /** The number of unreadable records of a run, from metrics and from the process log. */
  async function tellsOf(service: Service, run: TestRun, records: number): Promise<void> {
    const counted = /name="unreadable_record",service="telemetry"} (\d+)/.exec(await service.registry.metrics())?.[1]
    assert.equal(Number(counted), records)
    const lines = service.logged.map((line) => JSON.parse(line)).filter(({ msg }) => /could not be read/.test(msg))
    assert.deepEqual(
      lines.map((line) => [line.run, line.records, line.level]),
      [[run.id, records, 40]],
    )
  }

  test('records in a damaged segment make the run incomplete; the rest is stored', async () => {
    const first = await around.start()
    const run = await around.clinic.newRun()
    await around.pose(first, run, 1, 2, 3)
    const disk = first.disk.killed()
    await first.stop()
    damage(disk, 'bulk', 120)
    const second = await around.start({ disk })
    await around.events(second, run, mediaEvent('session_end'))
    const row = await around.flushed(run)
    assert.equal(row.is_complete, false)
    assert.deepEqual(await around.marksOf(run), [2, 3])
    assert.match(await second.registry.metrics(), /telemetry_failures_total{what="damaged_segment"/)
    await second.stop()
  })

  test('a run whose only frames were in a damaged segment is incomplete, one that began later is not', async () => {
    const first = await around.start()
    const run = await around.clinic.newRun()
    await around.events(first, run, mediaEvent('session_start'))
    await around.pose(first, run, 1)
    let disk = first.disk.killed()
    await first.stop()
    damage(disk, 'bulk', 120)
    disk.changedAt = around.clock.now
    const second = await around.start({ disk })
    around.clock.now += 60_000
    const other = await around.clinic.newRun()
    await around.pose(second, other, 2)
    disk = Object.assign(second.disk.killed(), { changedAt: disk.changedAt })
    await second.stop()
    const third = await around.start({ disk })
    for (const one of [run, other]) await around.events(third, one, mediaEvent('session_end', 60))
    await around.isDone(third)
    assert.deepEqual(
      (await Promise.all([run, other].map((one) => around.flushed(one)))).map(({ is_complete }) => is_complete),
      [false, true],
    )
    await third.stop()
  })

  test('a run whose marks cannot be read is resumed and loses nothing', async () => {
    const first = await around.start()
    const [run, other] = [await around.clinic.newRun(), await around.clinic.newRun()]
    await around.pose(first, run, 1)
    around.clock.now += 60_000
    await around.pose(first, other, 1) // keeps the segment
    around.clock.now += SILENCE_TIMEOUT_MS - 61_000
    await first.ingest.sealSilent()
    await around.flushed(run)
    await until(() => first.runs.size === 1)
    const disk = first.disk.killed()
    await first.stop()
    disk.changedAt = around.clock.now
    damage(disk, 'control', 20, 69 + 20)
    const second = await around.start({ disk })
    await around.pose(second, run, 2)
    await around.events(second, run, mediaEvent('session_end', 60))
    await around.flushed(run, 2)
    assert.deepEqual(await around.marksOf(run), [1, 2])
    await second.stop()
  })

  test('a damaged run stays incomplete when it is resumed', async () => {
    const first = await around.start()
    const run = await around.clinic.newRun()
    await around.pose(first, run, 1, 2, 3)
    const disk = first.disk.killed()
    await first.stop()
    damage(disk, 'bulk', 120)
    const second = await around.start({ disk })
    await around.silence(second)
    await around.flushed(run)
    await around.pose(second, run, 4)
    await around.silence(second)
    await around.flushed(run, 2)
    await around.events(second, run, mediaEvent('session_end'))
    const row = await around.flushed(run, 3)
    assert.equal(row.is_complete, false)
    assert.deepEqual(await around.marksOf(run), [2, 3, 4])
    await second.stop()
  })

  test('a missing replay makes the run incomplete, also after it is resumed', async () => {
    const service = await around.start()
    const run = await around.clinic.newRun()
    await around.pose(service, run, 1)
    await around.silence(service)
    await around.isDone(service)
    for (const key of await around.blobs(run)) await around.objects.delete(key)
    await around.pose(service, run, 2)
    await around.silence(service)
    await around.flushed(run, 2)
    await around.events(service, run, mediaEvent('session_end'))
    const row = await around.flushed(run, 3)
    assert.equal(row.is_complete, false)
    assert.deepEqual(await around.marksOf(run), [2])
    await service.stop()
  })

  test('a record that cannot be decoded loses only itself: the service starts, and the run is incomplete', async () => {
    const first = await around.start()
    const run = await around.clinic.newRun()
    await around.pose(first, run, 1)
    await around.events(first, run, mediaEvent('session_start'))
    const disk = first.disk.killed()
    await first.stop()
    const log = new RunLog({ files: disk, maxBytes: 1e9, now: () => around.clock.now, onFailure: assert.ifError })
    let origin: Origin | undefined
    await log.recover((record) => (origin = copyOf(record)))
    assert.ok(origin)
    const at = around.clock.now
    for (const [kind, payload] of [
      ['event', '{"event":"video_pla'],
      ['view', 'null'],
      ['pose', '!'],
    ] as const)
      await log.append({ kind, origin, at, payload: [Buffer.from(payload)] })
    await log.close()
    const second = await around.start({ disk })
    await around.pose(second, run, 2)
    await around.events(second, run, mediaEvent('session_end', 60))
    const row = await around.flushed(run)
    assert.deepEqual([row.is_complete, row.event_count], [false, 2])
    assert.deepEqual(await around.marksOf(run), [1, 2])
    await around.isDone(second)
    await tellsOf(second, run, 3)
    await second.stop()
  })

  test('unreadable records are counted once, however often the run is retried, and logged', async () => {
    let tries = 0
    const service = await around.start({
      replaced: {
        retryPauseMs: () => 1,
        afterStep: (step) => {
          if (step === 'blob' && (tries += 1) < 3) throw new Error('not yet')
        },
      },
    })
    const run = await around.clinic.newRun()
    await around.events(service, run, mediaEvent('session_start'))
    await around.pose(service, run, 1, 2)
    damage(service.disk, 'bulk', 120)
    damage(service.disk, 'control', 120)
    await around.events(service, run, mediaEvent('session_end', 60))
    const row = await around.flushed(run)
    await around.isDone(service)
    assert.deepEqual([row.is_complete, row.event_count], [false, 1])
    await tellsOf(service, run, 2)
    await service.stop()
  })
})
