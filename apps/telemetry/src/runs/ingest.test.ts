import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { MediaEvent, MediaEventType } from '@tendon/contracts'
import { pickFrom, randomFrom, soakRuns, soakSeed } from '@tendon/testing'
import { LogFull } from '../log/log.ts'
import { createMemoryDisk, type MemoryDisk } from '../log/memory-files.testing.ts'
import { RunLog } from '../log/run-log.ts'
import { Ingest, LimitReached, MAX_RECORDING_FRAMES, SILENCE_TIMEOUT_MS } from './ingest.ts'
import { decodePose } from './payloads.ts'
import { type Recording, runIdentity } from './recording.ts'
import { Runs } from './runs.ts'

const NOW = Date.UTC(2026, 10, 15)

async function open(disk: MemoryDisk, now = NOW) {
  const clock = { now, elapsed: 0 }
  const discards: string[] = []
  const sealed = new Map<string, Recording>()
  const runs = new Runs()
  const log = new RunLog({
    files: disk,
    maxBytes: 1e9,
    segmentBytes: 5_000,
    now: () => clock.now,
    elapsed: () => clock.elapsed,
    onFailure: () => {},
  })
  const { damagedRecordings } = await log.recover(runs.restorer())
  runs.restored(damagedRecordings, (recording) => log.isSetAside(recording))
  const ingest = new Ingest({
    log,
    runs,
    now: () => clock.now,
    onDiscard: (name) => discards.push(name),
    onSealed: (recording) => sealed.set(recording.id, recording),
  })
  return { ingest, runs, log, clock, discards, sealed }
}

const newRun = () => runIdentity(randomUUID(), randomUUID())
const SESSION = randomUUID()
const event = (type: MediaEventType, seconds = 0, session_id = SESSION): MediaEvent => ({
  event: type,
  session_id,
  media_id: 'squat',
  media_type: 'video',
  timestamp: new Date(NOW + seconds * 1000).toISOString(),
})
const batch = (text: string, frames = 30) => ({ frames, meta: Buffer.alloc(0), gzip: Buffer.from(text) })

async function contentOf(log: RunLog, { id }: Recording) {
  const events: string[] = []
  for await (const record of log.read('control', id)) if (record?.kind === 'event') events.push(String(record.payload))
  const frames: string[] = []
  for await (const record of log.read('bulk', id)) if (record) frames.push(String(decodePose(record.payload)?.gzip))
  return { events, frames }
}

describe('ingest', () => {
  test('an event counts once: by session, type and time, within its run', async () => {
    const { ingest, runs, discards, log } = await open(createMemoryDisk())
    const [one, other] = [newRun(), newRun()]
    const played = event('video_played')
    await Promise.all(Array.from({ length: 10 }, () => ingest.event(one, played)))
    await ingest.event(one, event('video_paused'))
    await ingest.event(one, event('video_played', 1))
    await ingest.event(one, event('video_played', 0, randomUUID()))
    await ingest.event(other, played)
    assert.equal(discards.filter((name) => name === 'duplicate_event').length, 9)
    const [first, second] = [runs.latest(one.runId), runs.latest(other.runId)]
    assert.ok(first && second)
    assert.equal((await contentOf(log, first)).events.length, 4)
    assert.equal((await contentOf(log, second)).events.length, 1)
  })

  test('after the end everything is late; a repeated end changes nothing', async () => {
    const { ingest, runs, discards, sealed } = await open(createMemoryDisk())
    const run = newRun()
    assert.deepEqual(await ingest.pose(run, batch('abc', 10)), { frames: 10, position: 3 })
    assert.deepEqual(await ingest.pose(run, batch('defg', 10)), { frames: 10, position: 7 })
    await ingest.event(run, event('session_end'))
    assert.equal(sealed.size, 1)
    assert.deepEqual(await ingest.pose(run, batch('late')), { frames: 0, position: 7 })
    await ingest.event(run, event('video_paused', 5))
    await ingest.event(run, event('session_end', 9))
    await ingest.view(run, { media_id: 'a', viewed_at: new Date(NOW).toISOString() })
    assert.deepEqual(discards, ['late_batch', 'late_event', 'repeated_session_end', 'late_view'])
    assert.equal(runs.recordingsOf(run.runId).length, 1)
  })

  test('twenty ends at once with data around them: one closes the recording, which contains all accepted data', async () => {
    const { ingest, runs, discards, sealed, log } = await open(createMemoryDisk())
    const run = newRun()
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, (_, at) => ingest.pose(run, batch(`a${at}`))),
      ...Array.from({ length: 20 }, (_, at) => ingest.event(run, event('session_end', at))),
      ...Array.from({ length: 30 }, (_, at) => ingest.pose(run, batch(`b${at}`))),
      ...Array.from({ length: 20 }, (_, at) => ingest.event(run, event('video_paused', at))),
    ])
    assert.equal(runs.recordingsOf(run.runId).length, 1)
    const [recording] = sealed.values()
    assert.ok(recording?.sealed === 'ended' && recording.appending === 0)
    const { frames, events } = await contentOf(log, recording)
    const taken = answers.filter((answer) => answer && answer.frames > 0).length
    assert.equal(frames.length, taken)
    assert.equal(events.filter((text) => text.includes('session_end')).length, 1)
    assert.equal(discards.filter((name) => name === 'repeated_session_end').length, 19)
    assert.equal(events.length - 1 + discards.filter((name) => name === 'late_event').length, 20)
  })

  test('an end that could not be written does not end the run', async () => {
    const disk = createMemoryDisk()
    const { ingest, clock, sealed, runs } = await open(disk)
    const run = newRun()
    await ingest.event(run, event('session_start'))
    disk.room = 0
    const refused = await Promise.allSettled([
      ingest.event(run, event('session_end', 1)),
      ingest.event(run, event('session_end', 1)),
      ingest.event(run, event('video_played', 2)),
    ])
    for (const result of refused) assert.ok(result.status === 'rejected' && result.reason instanceof LogFull)
    assert.equal(sealed.size, 0)
    disk.room = Number.POSITIVE_INFINITY
    clock.elapsed = 2_000
    assert.deepEqual(await ingest.pose(run, batch('x')), { frames: 30, position: 1 })
    await ingest.event(run, event('session_end', 1))
    assert.equal(sealed.size, 1)
    assert.equal(runs.latest(run.runId)?.entries, 2)
  })

  test('ten minutes of silence close a recording; data after it starts another', async () => {
    const { ingest, runs, clock, sealed, log } = await open(createMemoryDisk())
    const run = newRun()
    await ingest.pose(run, batch('one'))
    clock.now += SILENCE_TIMEOUT_MS - 1
    await ingest.sealSilent()
    assert.equal(sealed.size, 0)
    clock.now += 1
    await ingest.sealSilent()
    assert.equal(sealed.size, 1)
    await ingest.pose(run, batch('two'))
    const [first, second] = runs.recordingsOf(run.runId)
    assert.ok(first?.sealed === 'silence' && second && second.sealed === undefined)
    assert.deepEqual((await contentOf(log, first)).frames, ['one'])
    assert.deepEqual((await contentOf(log, second)).frames, ['two'])
  })

  test('a recording is closed after six hours whatever arrives; later data starts another', async () => {
    const { ingest, runs, clock, sealed, log } = await open(createMemoryDisk())
    const run = newRun()
    for (let minutes = 0; minutes < 6 * 60; minutes += 5) {
      await ingest.pose(run, batch(`${minutes}`))
      await ingest.sealSilent()
      clock.now += 5 * 60_000
    }
    assert.equal(sealed.size, 0)
    const last = ingest.pose(run, batch('on its way'))
    await ingest.sealSilent()
    await last
    await ingest.pose(run, batch('another'))
    const [first, second] = runs.recordingsOf(run.runId)
    assert.ok(first?.sealed === 'silence' && second && second.sealed === undefined)
    assert.equal((await contentOf(log, first)).frames.length, 73)
    assert.deepEqual((await contentOf(log, second)).frames, ['another'])
    assert.deepEqual([...sealed.keys()], [first.id])
  })

  test('a clock that was ahead does not keep a recording open: it is silent ten minutes after the correction', async () => {
    const disk = createMemoryDisk()
    const { ingest, clock, sealed } = await open(disk)
    clock.now = NOW + 365 * 24 * 3_600_000
    await ingest.event(newRun(), event('session_start'))
    clock.now = NOW
    await ingest.sealSilent()
    const again = await open(disk.killed())
    await again.ingest.sealSilent()
    for (const service of [{ ingest, clock, sealed }, again]) {
      assert.equal(service.sealed.size, 0)
      service.clock.now = NOW + SILENCE_TIMEOUT_MS
      await service.ingest.sealSilent()
      assert.equal(service.sealed.size, 1)
    }
  })

  test('deduplication data is dropped when a recording is closed; its counts are kept', async () => {
    const disk = createMemoryDisk()
    const { ingest, runs, clock } = await open(disk)
    const [ended, silent, going] = [newRun(), newRun(), newRun()]
    for (const run of [ended, silent]) await ingest.event(run, event('session_start'))
    await ingest.view(ended, { media_id: 'a', viewed_at: new Date(NOW).toISOString() })
    await Promise.all([ingest.event(ended, event('video_played')), ingest.event(ended, event('session_end', 9))])
    clock.now += SILENCE_TIMEOUT_MS
    await ingest.event(going, event('session_start'))
    await ingest.sealSilent()
    const again = await open(disk.killed())
    for (const view of [runs, again.runs]) {
      assert.equal(view.entries, 1)
      const held = [ended, silent].map(({ runId }) => view.latest(runId))
      assert.deepEqual(
        held.map((recording) => [recording?.entries, recording?.events.size, recording?.views.size]),
        [
          [4, 0, 0],
          [1, 0, 0],
        ],
      )
      for (const run of [ended, silent, going])
        for (const recording of view.recordingsOf(run.runId)) view.remove(recording)
      assert.equal(view.entries, 0)
    }
  })

  test('a run with only refused data leaves nothing to finalise', async () => {
    const disk = createMemoryDisk()
    const { ingest, runs, clock, sealed } = await open(disk)
    disk.room = 0
    await assert.rejects(ingest.pose(newRun(), batch('x')), LogFull)
    assert.equal(runs.size, 1)
    clock.now += SILENCE_TIMEOUT_MS
    await ingest.sealSilent()
    assert.equal(runs.size, 0)
    assert.equal(sealed.size, 0)
  })

  test('frames, sessions and events of a run are limited', async () => {
    const { ingest } = await open(createMemoryDisk())
    const run = newRun()
    for (let frames = 0; frames < MAX_RECORDING_FRAMES; frames += 500) await ingest.pose(run, batch('x', 500))
    await assert.rejects(ingest.pose(run, batch('x', 1)), LimitReached)
    const poisoned = newRun()
    for (let at = 0; at < 100; at += 1) await ingest.event(poisoned, event('video_played', at, randomUUID()))
    await assert.rejects(ingest.event(poisoned, event('video_played', 0, randomUUID())), LimitReached)
    await ingest.event(poisoned, event('session_end', 0, randomUUID()))
    const talker = newRun()
    await Promise.all(Array.from({ length: 5_000 }, (_, at) => ingest.event(talker, event('video_played', at))))
    await assert.rejects(ingest.event(talker, event('video_played', 5_001)), LimitReached)
    await ingest.event(talker, event('session_end'))
  })

  test('after a crash the view is the same: for any mix of data, ends, silences and finalised recordings', async () => {
    const random = randomFrom(soakSeed())
    const pick = pickFrom(random)
    for (let round = 0; round < soakRuns(10); round += 1) {
      const disk = createMemoryDisk()
      const opened = await open(disk)
      const all = Array.from({ length: 4 }, newRun)
      for (let step = 0; step < 80; step += 1) {
        const run = pick(all)
        const dice = random()
        opened.clock.now += 1_000
        if (dice < 0.4) await opened.ingest.pose(run, batch(`${step}`))
        else if (dice < 0.75) await opened.ingest.event(run, event('video_played', Math.floor(random() * 40)))
        else if (dice < 0.8) await opened.ingest.view(run, { media_id: 'a', viewed_at: `${Math.floor(random() * 5)}` })
        else if (dice < 0.84) await opened.ingest.event(run, event('session_end', step))
        else if (dice < 0.9) {
          opened.clock.now += SILENCE_TIMEOUT_MS
          await opened.ingest.sealSilent()
        } else {
          if (opened.sealed.size === 0) continue
          const done = pick([...opened.sealed.values()])
          if (!opened.runs.recordingsOf(done.runId).includes(done)) continue
          await opened.log.finish(done.origin, opened.clock.now, done.sealed === 'ended')
          opened.runs.remove(done)
          await opened.log.tidy()
        }
      }
      const again = await open(disk.killed(), opened.clock.now)
      const viewOf = ({ runs, ingest }: Awaited<ReturnType<typeof open>>) =>
        all.map(({ runId }) => ({
          ended: ingest.hasEnded(runId),
          recordings: runs.recordingsOf(runId),
        }))
      assert.deepEqual(viewOf(again), viewOf(opened))
      assert.equal(again.runs.entries, opened.runs.entries)
    }
  })
})
