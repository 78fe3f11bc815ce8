import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { runIdentity } from '../runs/recording.ts'
import { Admission } from './admission.ts'
import { OrganizationQuotas } from './organization-quotas.ts'
import { mockTime } from './time.testing.ts'

describe('admission under load', () => {
  function open({ mediaPerSecond = 1_000 } = {}) {
    const disk = { waitMs: 100 }
    const clock = { now: 0 }
    const log = { refusal: () => undefined, oldestWaitMs: () => disk.waitMs }
    const checker = { hasRoom: () => true }
    const admission = new Admission({
      log,
      checker,
      now: () => clock.now,
      quotas: new OrganizationQuotas({
        fallback: { pose: 8, media: mediaPerSecond },
        now: () => clock.now,
        find: async () => undefined,
      }),
    })
    const organization = randomUUID()
    const newRun = () => runIdentity(randomUUID(), organization)
    const send = (run: ReturnType<typeof newRun>, count: number, bytes = 4_000) => {
      const results: string[] = []
      for (let at = 0; at < count; at += 1)
        admission.enterPose(run, { bytes, isDisconnected: () => false }, (denial) => results.push(denial ?? 'in'))
      return results
    }
    /**
     * Sends this many events that may end their session; returns each result and a function that releases the admitted
     * ones.
     */
    const sendEvents = (run: ReturnType<typeof newRun>, count: number, mayEnd = true) => {
      const entries = Array.from({ length: count }, () => admission.enterMedia(run, mayEnd))
      return {
        results: entries.map((entry) => (typeof entry === 'string' ? entry : entry.denial ? 'reserved' : 'in')),
        leave: () => entries.forEach((entry) => typeof entry !== 'string' && entry.leave()),
      }
    }
    return { disk, clock, admission, newRun, send, sendEvents }
  }

  test('a run or a clinic queues at most its quota; the rest is refused immediately', () => {
    const { disk, admission, newRun, send } = open()
    const [one, other] = [newRun(), newRun()]
    const first = send(one, 20)
    assert.deepEqual(first, Array(15).fill('rate_limited'))
    const second = send(other, 5)
    assert.deepEqual(second, Array(2).fill('rate_limited'), 'eight in all for the clinic')
    disk.waitMs = 0
    assert.deepEqual(send(newRun(), 1), ['rate_limited'])
    admission.leavePose(one)
    assert.deepEqual([...first, ...second].filter((results) => results === 'in').length, 8)
  })

  test('queued requests hold at most 128 MB of bodies; more is shed immediately', () => {
    const { send } = open()
    const elsewhere = () => runIdentity(randomUUID(), randomUUID())
    for (let count = 0; count < 2_048; count += 1) assert.deepEqual(send(elsewhere(), 1, 65_536), [])
    assert.deepEqual(send(elsewhere(), 1, 1), ['shed'])
  })

  test('a shed batch does not count against the quota', () => {
    const { pass, restore } = mockTime()
    const { disk, newRun, send } = open()
    const run = newRun()
    for (let round = 0; round < 30; round += 1) {
      const results = send(run, 5)
      pass(500)
      assert.deepEqual(results, Array(5).fill('shed'))
    }
    disk.waitMs = 0
    assert.deepEqual(send(run, 6), [...Array(5).fill('in'), 'rate_limited'])
    restore()
  })

  test('a run holds at most its burst of slots, however slow its bodies are', () => {
    const { disk, clock, admission, newRun, send } = open()
    disk.waitMs = 0
    const run = newRun()
    assert.deepEqual(send(run, 5), Array(5).fill('in'))
    clock.now += 60_000
    assert.deepEqual(send(run, 2), ['rate_limited', 'rate_limited'])
    assert.deepEqual(send(newRun(), 1), ['in'])
    admission.leavePose(run)
    assert.deepEqual(send(run, 2), ['in', 'rate_limited'])
  })

  test('half a minute of buffered batches is accepted at five a second, beside new ones', () => {
    const { disk, clock, admission, newRun, send } = open()
    disk.waitMs = 0
    const run = newRun()
    for (let batch = 0; batch < 36; batch += 1) {
      assert.deepEqual(send(run, 1), ['in'], `batch ${batch}`)
      admission.leavePose(run)
      clock.now += 200
    }
  })

  test('a run that always sends five batches a second gets one a second on average', () => {
    const { disk, clock, admission, newRun, send } = open()
    disk.waitMs = 0
    const run = newRun()
    const takenIn = (seconds: number) => {
      let taken = 0
      for (let at = 0; at < seconds * 5; at += 1) {
        clock.now += 200
        if (send(run, 1)[0] !== 'in') continue
        taken += 1
        admission.leavePose(run)
      }
      return taken
    }
    const isAbout = (taken: number, wanted: number) => assert.ok(Math.abs(taken - wanted) <= 1, `${taken} of ${wanted}`)
    isAbout(takenIn(600), 120 + 600)
    isAbout(takenIn(600), 600)
    clock.now += 60_000 // quota to catch up
    isAbout(takenIn(60), 60 + 60)
  })

  test('a run holds at most its burst of event slots and the reserved ones, however slow its bodies are', () => {
    const { clock, newRun, sendEvents } = open()
    const run = newRun()
    const slow = sendEvents(run, 3_000)
    assert.deepEqual(slow.results, [
      ...Array(50).fill('in'),
      ...Array(8).fill('reserved'),
      ...Array(2_942).fill('rate_limited'),
    ])
    assert.deepEqual(sendEvents(newRun(), 1).results, ['in'])
    clock.now += 60_000
    assert.deepEqual(sendEvents(run, 1).results, ['rate_limited'])
    slow.leave()
    assert.deepEqual(sendEvents(run, 51, false).results, [...Array(50).fill('in'), 'rate_limited'])
  })

  test('the end of a session gets a slot beside other events of its run when the quota is used up', () => {
    const { newRun, sendEvents } = open({ mediaPerSecond: 1 })
    const run = newRun()
    sendEvents(newRun(), 1)
    const others = sendEvents(run, 7)
    assert.deepEqual(others.results, Array(7).fill('reserved'))
    const end = sendEvents(run, 1)
    assert.deepEqual(end.results, ['reserved'])
    assert.deepEqual(sendEvents(run, 1).results, ['rate_limited'])
    end.leave()
    others.leave()
    assert.deepEqual(sendEvents(run, 9).results, [...Array(8).fill('reserved'), 'rate_limited'])
  })

  test('reserved slots are bounded over all runs', () => {
    const { newRun, sendEvents } = open({ mediaPerSecond: 1 })
    sendEvents(newRun(), 1)
    const results = Array.from({ length: 200 }, () => sendEvents(newRun(), 8).results).flat()
    assert.equal(results.filter((one) => one === 'reserved').length, 1_000)
  })
})
