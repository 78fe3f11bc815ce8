import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { createMemoryDisk, type MemoryDisk } from '../log/memory-files.testing.ts'
import { gzipOf, mediaEvent, type TestRun } from '../testing.ts'
import {
  createFinaliseSurroundings,
  type FinaliseSurroundings,
  type MediaRow,
  type Service,
} from './finalise.testing.ts'
import { isRefusal } from './refusal.ts'

const TABLE = 'media_session_metrics'
const addCheck = (check: string) => `alter table ${TABLE} add constraint poison check (${check})`
/** What makes the database refuse the rows of one run. */
const POISONS: [what: string, code: string, poison: (run: TestRun) => string][] = [
  ['a constraint', '23514', ({ id }) => addCheck(`run_id <> '${id}'`)],
  ['the bad value of a column', '22012', ({ id }) => addCheck(`1 / (run_id <> '${id}')::integer = 1`)],
  [
    'a policy',
    '42501',
    ({ id }) => `create policy poison on ${TABLE} as restrictive for insert with check (run_id <> '${id}')`,
  ],
]

describe('a recording that the database refuses', () => {
  let around: FinaliseSurroundings
  before(async () => {
    around = await createFinaliseSurroundings()
  })
  after(() => around.close())

  const asideOf = (disk: MemoryDisk) => [...disk.files.keys()].filter((name) => name.startsWith('aside'))
  const isSetAside = ({ logged }: Service, recordings = 1) =>
    until(() => logged.filter((line) => line.includes('set aside')).length === recordings)
  const bulkBytes = ({ disk }: Service) =>
    [...disk.files].reduce((sum, [name, { content }]) => sum + (name.startsWith('bulk') ? content.length : 0), 0)
  const metric = async ({ registry }: Service, name: string) =>
    Number(new RegExp(`^telemetry_${name}[^}]*} (\\d+)`, 'm').exec(await registry.metrics())?.[1])
  const refuse = ({ id }: TestRun) => around.database.query(addCheck(`run_id <> '${id}'`))
  const fix = async () => {
    await around.database.query(`alter table ${TABLE} drop constraint if exists poison`)
    await around.database.query(`drop policy if exists poison on ${TABLE}`)
  }
  afterEach(fix)

  /** `asidePauseMs`: retry delay of recordings that were set aside; never by default. */
  const start = (disk = createMemoryDisk(), asidePauseMs = 1e8) =>
    around.start({ disk, replaced: { retryPauseMs: (_, aside) => (aside ? asidePauseMs : 1) } })
  /** What a process started after this one was killed finds. */
  async function restarted(service: Service, asidePauseMs?: number): Promise<Service> {
    const disk = service.disk.killed()
    await service.stop()
    return start(disk, asidePauseMs)
  }
  async function whole(service: Service, run: TestRun, marks: number[], version = 1): Promise<MediaRow> {
    const row = await around.flushed(run, version)
    await around.isDone(service)
    assert.deepEqual(await around.marksOf(run), marks)
    assert.equal((await around.rowsOf(TABLE, run)).length, 1)
    await until(() => bulkBytes(service) === 0)
    assert.deepEqual(asideOf(service.disk), [])
    return row
  }

  for (const [what, code, poison] of POISONS) {
    test(`by ${what} is set aside: the log is free, others continue, and it is written once the cause is fixed`, async () => {
      const service = await start(undefined, 20)
      const [run, other] = [await around.clinic.newRun(), await around.clinic.newRun()]
      await around.database.query(poison(run))
      await around.events(service, run, mediaEvent('session_start'), mediaEvent('video_played', 1))
      await around.pose(service, run, 1, 2)
      await service.view(run, { media_id: 'plank', viewed_at: '2026-11-15T09:00:00Z' })
      await around.events(service, run, mediaEvent('session_end', 9))
      await isSetAside(service)
      await around.pose(service, other, 7)
      await around.events(service, other, mediaEvent('session_end'))
      await around.flushed(other)
      await until(() => bulkBytes(service) === 0)
      assert.deepEqual(await around.rowsOf(TABLE, run), [])
      assert.equal(await metric(service, 'recordings_set_aside'), 1)
      assert.equal((await service.pose(run, gzipOf(9))).body.frames_accepted, 0, 'the session has ended')
      const errors = service.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
      assert.deepEqual(
        errors.map(({ run: id, err }) => [id, err.code]),
        [[run.id, code]],
      )
      assert.match(errors[0].msg, /its data is kept in a file.*Fix the cause/i)

      await fix()
      const { is_complete, event_count, version } = await whole(service, run, [1, 2])
      assert.deepEqual([is_complete, event_count, version], [true, 3, 1])
      assert.equal((await around.rowsOf('library_views', run)).length, 1)
      assert.equal(await metric(service, 'recordings_set_aside'), 0)
      await service.stop()
    })
  }

  test('a recording that the database refuses is retried once at every start, and kept however often it is refused', async () => {
    const run = await around.clinic.newRun()
    await refuse(run)
    let service = await start()
    await around.pose(service, run, 1, 2)
    await around.events(service, run, mediaEvent('session_end'))
    await isSetAside(service)
    for (let life = 0; life < 2; life += 1) {
      service = await restarted(service)
      await until(() => metric(service, 'failures_total{what="finalise"'))
      assert.equal((await service.pose(run, gzipOf(9))).body.frames_accepted, 0)
      assert.deepEqual([asideOf(service.disk).length, bulkBytes(service), service.runs.entries], [1, 0, 0])
    }
    await fix()
    service = await restarted(service)
    await whole(service, run, [1, 2])
    service = await restarted(service)
    assert.equal(service.runs.size, 0)
    await service.stop()
  })

  test('delays later recordings of its run, and nothing else: all are written in order', async () => {
    const run = await around.clinic.newRun()
    await refuse(run)
    let service = await start()
    await around.pose(service, run, 1, 2)
    await around.silence(service)
    await isSetAside(service)
    await around.events(service, run, mediaEvent('session_start'))
    await around.pose(service, run, 3)
    await around.silence(service)
    await isSetAside(service, 2)
    await around.pose(service, run, 4)
    await around.events(service, run, mediaEvent('session_end', 9))
    await isSetAside(service, 3)
    service = await restarted(service, 20)
    await until(() => bulkBytes(service) === 0)
    await fix()
    const { is_complete, event_count } = await whole(service, run, [1, 2, 3, 4], 3)
    assert.deepEqual([is_complete, event_count], [true, 2])
    await service.stop()
  })

  for (const moment of ['the rename', 'the mark is written', 'memory is released']) {
    for (const death of ['killed', 'powerCut'] as const) {
      test(`${death} before ${moment}: the next process has all of it, once`, async () => {
        const run = await around.clinic.newRun()
        await refuse(run)
        const disk = createMemoryDisk()
        const { rename } = disk
        const left: MemoryDisk[] = []
        const die = () => left.push(death === 'killed' ? disk.killed() : disk.powerCut(Math.random))
        disk.rename = async (from, to) => {
          if (moment === 'the rename') die()
          await rename(from, to)
          if (moment === 'the mark is written') die()
        }
        const first = await start(disk)
        await around.events(first, run, mediaEvent('session_start'))
        await around.pose(first, run, 1, 2, 3)
        await around.events(first, run, mediaEvent('session_end', 9))
        await isSetAside(first)
        if (moment === 'memory is released') die()
        await first.stop()
        await fix()
        const [found = disk] = left
        const [aside = ''] = asideOf(found)
        const file = found.files.get(aside)
        assert.ok(file)
        if (aside.endsWith('.part')) file.content = file.content.subarray(0, 300)
        const second = await start(found)
        const { is_complete, event_count, version } = await whole(second, run, [1, 2, 3])
        assert.deepEqual([is_complete, event_count, version], [true, 2, 1])
        const third = await restarted(second)
        assert.equal(third.runs.size, 0)
        await third.stop()
      })
    }
  }

  test('a recording that the database refuses is added to what an older release, which does not know its file, wrote meanwhile', async () => {
    const run = await around.clinic.newRun()
    await refuse(run)
    const first = await start()
    await around.pose(first, run, 1, 2)
    await around.silence(first)
    await isSetAside(first)
    const disk = first.disk.killed()
    await first.stop()
    await fix()
    const [name = ''] = asideOf(disk)
    const file = disk.files.get(name)
    assert.ok(file)
    disk.files.delete(name)
    const older = await start(disk)
    await around.pose(older, run, 3)
    await around.events(older, run, mediaEvent('session_end', 9))
    await whole(older, run, [3], 2)
    const found = older.disk.killed()
    await older.stop()
    found.files.set(name, file)
    const newer = await start(found)
    const { is_complete } = await whole(newer, run, [1, 2, 3], 3)
    assert.equal(is_complete, true)
    assert.equal((await around.blobs(run)).length, 1)
    await newer.stop()
  })

  test('a recording that the database refuses is deleted when its patient is erased', async () => {
    const run = await around.clinic.newRun()
    await refuse(run)
    const service = await start(undefined, 20)
    await around.pose(service, run, 1)
    await around.events(service, run, mediaEvent('session_end'))
    await isSetAside(service)
    await around.database.query('delete from run_manifests where run_id = $1', [run.id])
    await around.isDone(service)
    assert.deepEqual([asideOf(service.disk), await around.blobs(run)], [[], []])
    assert.equal(await metric(service, 'discards_total{name="recording_without_manifest"'), 1)
    await service.stop()
  })

  test('stays in the log while the disk is full', async () => {
    const run = await around.clinic.newRun()
    await refuse(run)
    const service = await start()
    await around.pose(service, run, 1)
    await around.events(service, run, mediaEvent('session_end'))
    service.disk.room = 0
    await until(async () => (await metric(service, 'failures_total{what="finalise"')) > 20)
    assert.deepEqual(asideOf(service.disk), [])
    assert.ok(bulkBytes(service) > 0)
    service.disk.room = Number.POSITIVE_INFINITY
    await isSetAside(service)
    await fix()
    const next = await restarted(service)
    await whole(next, run, [1])
    await next.stop()
  })

  test('a recording that the database refuses is incomplete when some of it could not be read', async () => {
    const run = await around.clinic.newRun()
    await refuse(run)
    const first = await start()
    await around.pose(first, run, 1, 2, 3)
    const [name = ''] = [...first.disk.files.keys()].filter((file) => file.startsWith('bulk'))
    const file = first.disk.files.get(name)
    if (file) file.content[120] = (file.content[120] ?? 0) ^ 1
    await around.events(first, run, mediaEvent('session_end'))
    await isSetAside(first)
    await fix()
    const second = await restarted(first)
    const { is_complete } = await whole(second, run, [2, 3])
    assert.equal(is_complete, false)
    assert.equal(await metric(first, 'discards_total{name="unreadable_record"'), 1)
    await second.stop()
  })

  test('a recording that the database refuses is not confused with an unavailable database, which is waited for', async () => {
    const databaseError = (code: string) => Object.assign(new Error(code), { code, severity: 'ERROR' })
    const refusals = ['22003', '22P05', '23502', '23505', '42501', '54000']
    const outages = ['08006', '40001', '40P01', '42703', '42P01', '53100', '53300', '55P03', '57014', '57P01', '57P03']
    assert.deepEqual(
      [...refusals, ...outages].filter((code) => isRefusal(databaseError(code))),
      refusals,
    )
    assert.ok(isRefusal(new TypeError('a fault of ours')))
    for (const code of ['ECONNREFUSED', 'ENOSPC', '23505'])
      assert.ok(!isRefusal(Object.assign(new Error('not of the database'), { code })))
  })
})
