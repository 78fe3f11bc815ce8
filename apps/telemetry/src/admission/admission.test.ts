import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { BodyChecker } from '../inflate/checker.ts'
import type { RunLog } from '../log/run-log.ts'
import { runIdentity } from '../runs/take.ts'
import { Admission } from './admission.ts'
import { mockTime } from './time.testing.ts'

describe('who is let in when there is no room', () => {
  function open() {
    const disk = { waitMs: 100 }
    const clock = { now: 0 }
    const log = { refusal: () => undefined, oldestWaitMs: () => disk.waitMs } as unknown as RunLog
    const checker = { hasRoom: () => true } as unknown as BodyChecker
    const admission = new Admission({
      log,
      checker,
      now: () => clock.now,
      organizationPosePerSecond: 8,
      organizationMediaPerSecond: 8,
    })
    const organization = randomUUID()
    const newRun = () => runIdentity(randomUUID(), organization)
    const send = (run: ReturnType<typeof newRun>, count: number) => {
      const told: string[] = []
      for (let at = 0; at < count; at += 1)
        admission.enterPose(
          run,
          () => false,
          (denial) => told.push(denial ?? 'in'),
        )
      return told
    }
    return { disk, clock, admission, newRun, send }
  }

  test('a run or a clinic waits with no more than its quota; the rest is refused at once', () => {
    const { disk, admission, newRun, send } = open()
    const [one, other] = [newRun(), newRun()]
    const first = send(one, 20)
    assert.deepEqual(first, Array(15).fill('rate_limited'))
    const second = send(other, 5)
    assert.deepEqual(second, Array(2).fill('rate_limited'), 'eight in all for the clinic')
    disk.waitMs = 0
    assert.deepEqual(send(newRun(), 1), ['rate_limited'])
    admission.leavePose(one)
    assert.deepEqual([...first, ...second].filter((told) => told === 'in').length, 8)
  })

  test('what was shed does not count', () => {
    const { pass, restore } = mockTime()
    const { disk, newRun, send } = open()
    const run = newRun()
    const told = send(run, 5)
    pass(500)
    assert.deepEqual(told, Array(5).fill('shed'))
    disk.waitMs = 0
    assert.deepEqual(send(run, 6), [...Array(5).fill('in'), 'rate_limited'])
    restore()
  })

  test('a run holds no more slots at once than its burst, however slow its bodies are', () => {
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
})
