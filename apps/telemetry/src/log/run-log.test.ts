import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { randomFrom, soakRuns, soakSeed } from '@tendon/testing'
import { type LogFiles, openFolder } from './files.ts'
import { bytesOf, newRecordingId, uuidOf } from './ids.ts'
import { createMemoryDisk, type MemoryDisk } from './memory-files.testing.ts'
import type { Origin } from './record.ts'
import { ENDED_RETENTION_MS, RunLog } from './run-log.ts'

const HOUR_MS = 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 15)

interface Opened {
  log: RunLog
  records: string[]
  clock: { now: number }
  recovered: ReturnType<RunLog['recover']>
}

function openRunLog(files: LogFiles, { maxBytes = 1e9, now = NOW, segmentBytes = 2_000 } = {}): Opened {
  const clock = { now }
  const records: string[] = []
  const log = new RunLog({ files, maxBytes, segmentBytes, now: () => clock.now, onFailure: () => {} })
  const recovered = log.recover(({ kind, run, recording }) =>
    records.push(`${kind} ${uuidOf(run)} ${uuidOf(recording)}`),
  )
  return { log, records, clock, recovered }
}

const newOrigin = (): Origin => ({
  run: bytesOf(randomUUID()),
  recording: newRecordingId(NOW),
  organization: bytesOf(randomUUID()),
})
const recordingOf = ({ recording }: Origin) => uuidOf(recording)

async function readAll(log: RunLog, name: 'control' | 'bulk', origin: Origin): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  for await (const record of log.read(name, recordingOf(origin))) found.push(record?.payload.toString())
  return found
}

/** One after the other, so that each is a group of its own and segments fill up. */
async function fill(log: RunLog, origin: Origin, kind: 'event' | 'pose', count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await log.append({ kind, origin, at: NOW, payload: [Buffer.from(`${kind} ${at}`.padEnd(400))] })
  }
}

const names = (disk: MemoryDisk, log: string) => [...disk.files.keys()].filter((name) => name.startsWith(log)).sort()

describe('the log of runs', () => {
  test('a recording is read back in the order of acknowledgement, separately from others, before and after a restart', async () => {
    const disk = createMemoryDisk()
    const { log, recovered } = openRunLog(disk)
    await recovered
    const [one, other] = [newOrigin(), newOrigin()]
    for (let at = 0; at < 20; at += 1) {
      for (const origin of [one, other]) {
        const payload = [Buffer.from(`${recordingOf(origin)} ${at}`)]
        await log.append({ kind: 'pose', origin, at: NOW, payload })
        await log.append({ kind: 'event', origin, at: NOW, payload })
      }
    }
    const again = openRunLog(disk.killed())
    await again.recovered
    for (const reader of [log, again.log]) {
      for (const name of ['control', 'bulk'] as const) {
        for (const origin of [one, other]) {
          assert.deepEqual(
            await readAll(reader, name, origin),
            Array.from({ length: 20 }, (_, at) => `${recordingOf(origin)} ${at}`),
          )
        }
      }
    }
  })

  test('segments are dropped when all their recordings are finalised, and not before', async () => {
    const disk = createMemoryDisk()
    const { log, recovered } = openRunLog(disk)
    await recovered
    const [one, other] = [newOrigin(), newOrigin()]
    await fill(log, one, 'pose', 20)
    await fill(log, other, 'pose', 20)
    await fill(log, one, 'event', 20)
    const before = names(disk, 'bulk').length
    assert.ok(before > 6)
    await log.tidy()
    assert.equal(names(disk, 'bulk').length, before)
    await log.finish(one, NOW, true)
    await log.tidy()
    const middle = names(disk, 'bulk').length
    assert.ok(middle < before)
    assert.deepEqual((await readAll(log, 'bulk', other)).length, 20)
    await log.finish(other, NOW, true)
    await log.tidy()
    assert.ok(names(disk, 'bulk').length <= 1)
    assert.ok(names(disk, 'control').length <= 1)
    assert.ok(log.bytes < 12_000)
  })

  for (const kind of ['pose', 'event'] as const) {
    test(`records that arrive while segments are dropped are kept (${kind})`, async () => {
      const disk = createMemoryDisk()
      const { log, recovered, clock } = openRunLog(disk)
      await recovered
      const [done, late] = [newOrigin(), newOrigin()]
      await fill(log, done, kind, 18)
      await log.finish(done, NOW, true)
      clock.now += 2 * HOUR_MS
      const { remove } = disk
      disk.remove = async (name) => {
        disk.remove = remove
        await fill(log, late, kind, 1)
        await remove(name)
      }
      await log.tidy()
      assert.equal((await readAll(log, kind === 'pose' ? 'bulk' : 'control', late))[0]?.trim(), `${kind} 0`)
      const again = openRunLog(disk.killed())
      await again.recovered
      assert.ok(again.records.some((line) => line.startsWith(kind) && line.endsWith(recordingOf(late))))
    })
  }

  test('the marks of a recording outlive its frames, whatever else is dropped', async () => {
    const random = randomFrom(soakSeed())
    for (let round = 0; round < soakRuns(15); round += 1) {
      let disk = createMemoryDisk()
      let opened = openRunLog(disk)
      await opened.recovered
      const live: Origin[] = []
      const finished = new Set<string>()
      for (let step = 0; step < 60; step += 1) {
        if (live.length < 4) live.push(newOrigin())
        const origin = live[Math.floor(random() * live.length)] ?? newOrigin()
        const dice = random()
        if (dice < 0.6) await fill(opened.log, origin, 'pose', 3)
        else if (dice < 0.75) await fill(opened.log, origin, 'event', 2)
        else if (dice < 0.85) {
          await opened.log.finish(origin, NOW, random() < 0.5)
          finished.add(recordingOf(origin))
          live.splice(live.indexOf(origin), 1)
        } else if (dice < 0.95) await opened.log.tidy()
        else {
          disk = random() < 0.5 ? disk.powerCut(random) : disk.killed()
          opened = openRunLog(disk)
          await opened.recovered
          const withMark = new Set(opened.records.flatMap((line) => (/^flushed \S+ (\S+)/.exec(line) ?? []).slice(1)))
          for (const line of opened.records) {
            const recording = line.split(' ')[2] ?? ''
            if (line.startsWith('pose') && finished.has(recording)) assert.ok(withMark.has(recording), line)
          }
        }
      }
    }
  })

  for (const why of ['a recording is open', 'it is damaged']) {
    test(`a bulk segment that is kept because ${why} keeps only the marks of its recordings`, async () => {
      let disk = createMemoryDisk()
      let opened = openRunLog(disk)
      await opened.recovered
      const long = newOrigin()
      await fill(opened.log, long, 'pose', 8)
      if (why === 'it is damaged') {
        const file = disk.files.get(names(disk, 'bulk')[0] ?? '')
        if (file) file.content[100] = (file.content[100] ?? 0) ^ 1
        disk = Object.assign(disk.killed(), { changedAt: NOW })
        opened = openRunLog(disk)
        assert.equal((await opened.recovered).damagedSegments, 1)
        await opened.log.finish(long, NOW, true)
      }
      for (let round = 0; round < 40; round += 1) {
        const one = newOrigin()
        await fill(opened.log, one, 'event', 6)
        await fill(opened.log, one, 'pose', 6)
        await opened.log.finish(one, NOW, false)
        await opened.log.tidy()
        if (round !== 20) continue
        disk = Object.assign(disk.killed(), { changedAt: NOW })
        opened = openRunLog(disk)
        await opened.recovered
      }
      assert.ok(names(disk, 'bulk').length > 0)
      assert.ok(names(disk, 'control').length <= 4, `${names(disk, 'control').length} segments`)
    })
  }

  test('an ended run is remembered for hours, over restarts and dropped segments, then forgotten', async () => {
    const disk = createMemoryDisk()
    const { log, recovered, clock } = openRunLog(disk)
    await recovered
    const ended = newOrigin()
    const silent = newOrigin()
    await log.finish(ended, NOW, true)
    await log.finish(silent, NOW, false)
    const filler = newOrigin()
    const turn = async () => {
      await fill(log, filler, 'event', 20)
      filler.recording = newRecordingId(NOW)
    }
    for (let hour = 0; hour < 5; hour += 1) {
      const recording = { ...filler }
      await turn()
      await log.finish(recording, clock.now, false)
      await log.tidy()
      clock.now += HOUR_MS
      const again = openRunLog(disk.killed(), { now: clock.now })
      await again.recovered
      for (const reader of [log, again.log]) {
        assert.ok(reader.hasEnded(uuidOf(ended.run)), `after ${hour} hours`)
        assert.ok(!reader.hasEnded(uuidOf(silent.run)))
      }
    }
    clock.now = NOW + ENDED_RETENTION_MS + 1
    for (let count = 0; count < 3; count += 1) {
      const recording = { ...filler }
      await turn()
      await log.finish(recording, clock.now, false)
      await log.tidy()
    }
    assert.ok(!log.hasEnded(uuidOf(ended.run)))
  })

  test('recordings with records in a damaged segment are reported, and their good records are read', async () => {
    const disk = createMemoryDisk()
    const { log, recovered } = openRunLog(disk, { segmentBytes: 1e6 })
    await recovered
    const [one, other] = [newOrigin(), newOrigin()]
    await fill(log, one, 'pose', 5)
    await fill(log, other, 'pose', 5)
    const file = disk.files.get(names(disk, 'bulk')[0] ?? '')
    if (file) file.content[250] = (file.content[250] ?? 0) ^ 1
    const again = openRunLog(disk)
    const { damagedRecordings, damagedSegments } = await again.recovered
    assert.equal(damagedSegments, 1)
    assert.deepEqual([...damagedRecordings].sort(), [recordingOf(one), recordingOf(other)].sort())
    assert.equal((await readAll(again.log, 'bulk', one)).length, 4)
    assert.equal((await readAll(again.log, 'bulk', other)).length, 5)
  })

  test('a record damaged at run time is reported as unreadable, the others are read', async () => {
    const disk = createMemoryDisk()
    const { log, recovered } = openRunLog(disk, { segmentBytes: 1e6 })
    await recovered
    const one = newOrigin()
    await fill(log, one, 'pose', 3)
    const file = disk.files.get(names(disk, 'bulk')[0] ?? '')
    if (file) file.content[100] = (file.content[100] ?? 0) ^ 1
    assert.deepEqual(
      (await readAll(log, 'bulk', one)).map((payload) => payload?.trim()),
      [undefined, 'pose 1', 'pose 2'],
    )
  })

  test('at its size limit the log refuses pose first, media later; finalised runs free space', async () => {
    const disk = createMemoryDisk()
    const { log, recovered } = openRunLog(disk, { maxBytes: 10_000 })
    await recovered
    const one = newOrigin()
    await fill(log, one, 'pose', 22)
    assert.equal(log.refusal('bulk'), 'full')
    assert.equal(log.refusal('control'), undefined)
    await fill(log, one, 'event', 3)
    assert.equal(log.refusal('control'), 'full')
    await log.finish(one, NOW, true)
    await log.tidy()
    assert.equal(log.refusal('bulk'), undefined)
  })

  test('on a full disk a finalised recording is released without its mark and so frees space', async () => {
    const disk = createMemoryDisk()
    const { log, recovered } = openRunLog(disk)
    await recovered
    const one = newOrigin()
    await fill(log, one, 'pose', 20)
    disk.room = 0
    await log.finish(one, NOW, true)
    assert.ok(log.hasEnded(uuidOf(one.run)))
    await log.tidy()
    assert.ok(log.bytes < 3_000)
  })

  for (const moment of ['before', 'after'] as const) {
    test(`a recording whose file is refused ${moment} the rename stays in the log, and no copy of it is left`, async () => {
      const disk = createMemoryDisk()
      const { log, recovered } = openRunLog(disk)
      await recovered
      const one = newOrigin()
      await fill(log, one, 'pose', 20)
      const { rename } = disk
      disk.rename = async (from, to) => {
        if (moment === 'after') await rename(from, to)
        throw new Error('the folder cannot be synced')
      }
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await assert.rejects(log.setAside(one, NOW, { ended: true, damaged: false }))
        assert.deepEqual([names(disk, 'aside'), log.isSetAside(recordingOf(one))], [[], false])
        assert.equal((await readAll(log, 'bulk', one)).filter(Boolean).length, 20)
      }
      disk.rename = rename
      await log.setAside(one, NOW, { ended: true, damaged: false })
      assert.equal(names(disk, 'aside').length, 1)
      assert.equal((await readAll(log, 'bulk', one)).filter(Boolean).length, 20)
    })
  }

  for (const damaged of [
    [true, false],
    [false, true],
  ] as const) {
    test(`of two copies of a recording, ${damaged.map((is) => (is ? 'damaged' : 'whole')).join(' and ')}, the whole one is kept`, async () => {
      const disk = createMemoryDisk()
      const { log, recovered } = openRunLog(disk)
      await recovered
      const one = newOrigin()
      await fill(log, one, 'pose', 20)
      const { rename, remove } = disk
      disk.rename = async (from, to) => {
        await rename(from, to)
        throw new Error('the folder cannot be synced')
      }
      disk.remove = () => Promise.reject(new Error('nor can it be removed'))
      for (const [attempt, isDamaged] of damaged.entries()) {
        if (attempt === 1) Object.assign(disk, { rename, remove })
        await log.setAside(one, NOW, { ended: true, damaged: isDamaged }).catch(() => {})
      }
      const left = disk.killed()
      assert.equal(names(left, 'aside').length, 2)
      const again = openRunLog(left)
      await again.recovered
      assert.deepEqual([names(left, 'aside').length, names(left, 'aside')[0]?.endsWith('.log')], [1, true])
      assert.equal((await readAll(again.log, 'bulk', one)).filter(Boolean).length, 20)
      await again.log.finish(one, NOW, true)
      assert.deepEqual(names(left, 'aside'), [])
    })
  }

  test('a run is remembered as ended, also when the process died before the mark of a recording that was set aside', async () => {
    const disk = createMemoryDisk()
    const { log, recovered } = openRunLog(disk)
    await recovered
    const one = newOrigin()
    await fill(log, one, 'event', 2)
    let left = disk
    const { rename } = disk
    disk.rename = async (from, to) => {
      await rename(from, to)
      left = disk.killed()
    }
    await log.setAside(one, NOW, { ended: true, damaged: false })
    const second = openRunLog(left)
    await second.recovered
    assert.ok(second.log.isSetAside(recordingOf(one)))
    await second.log.finish(one, NOW, true)
    assert.deepEqual(names(left, 'aside'), [])
    const third = openRunLog(left.killed())
    await third.recovered
    for (const reader of [second.log, third.log]) assert.ok(reader.hasEnded(uuidOf(one.run)))
  })

  test('on a real disk: files are private, and everything is there after a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tendon-log-'))
    try {
      const files = await openFolder(join(folder, 'log'))
      const { log, recovered } = openRunLog(files)
      await recovered
      const one = newOrigin()
      await fill(log, one, 'pose', 20)
      const aside = newOrigin()
      await fill(log, aside, 'event', 2)
      await fill(log, aside, 'pose', 20)
      const [events, poses] = [await readAll(log, 'control', aside), await readAll(log, 'bulk', aside)]
      await log.setAside(aside, NOW, { ended: true, damaged: false })
      await log.close()
      await assert.rejects(log.append({ kind: 'event', origin: one, at: NOW }))
      const reopened = await openFolder(join(folder, 'log'))
      await assert.rejects(openFolder(join(folder, 'log')), /in use by another telemetry service/)
      const again = openRunLog(reopened)
      await again.recovered
      assert.equal((await readAll(again.log, 'bulk', one)).filter((payload) => payload !== undefined).length, 20)
      assert.ok(again.log.isSetAside(recordingOf(aside)) && again.log.hasEnded(uuidOf(aside.run)))
      assert.deepEqual(await readAll(again.log, 'control', aside), events)
      assert.deepEqual(await readAll(again.log, 'bulk', aside), poses)
      for (const { name } of (await files.list()).filter((file) => file.name.endsWith('.log')))
        assert.equal((await stat(join(folder, 'log', name))).mode & 0o777, 0o600, name)
      for (const origin of [one, aside]) await again.log.finish(origin, NOW, true)
      await again.log.tidy()
      assert.ok((await files.list()).filter(({ name }) => name.endsWith('.log')).length <= 2)
      await again.log.close()
      // Removing it again succeeds: an earlier attempt may have failed after the removal.
      await (await files.create('control-gone')).close()
      for (let attempt = 0; attempt < 2; attempt += 1) await files.remove('control-gone')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
