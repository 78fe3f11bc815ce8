import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRunClock } from './run-clock.ts'

const STARTED = '2026-11-15T09:00:00.250Z'

describe('the clock of a run', () => {
  test('the clock of a run counts from the start of the run, also on a device that resumes it later', () => {
    const received = Date.parse('2026-11-15T09:01:00.250Z')
    let time = 7
    const clock = createRunClock({ started_at: STARTED, answered_at: null, received }, () => time)
    assert.equal(clock.now(), 60_000)
    time += 1_500
    assert.equal(clock.now(), 61_500)
    assert.equal(clock.instant(61_500), '2026-11-15T09:01:01.750Z')
  })

  test('a device whose clock is an hour off uses the server’s time', () => {
    const received = Date.parse('2026-11-15T08:00:00.800Z')
    const answered_at = 'Sun, 15 Nov 2026 09:00:00 GMT'
    const clock = createRunClock({ started_at: STARTED, answered_at, received }, () => 0)
    assert.equal(clock.now(), 250)
  })

  test('the time of a run is never before its start', () => {
    const received = Date.parse('2026-11-15T08:59:59.900Z')
    const answered_at = 'Sun, 15 Nov 2026 09:00:00 GMT'
    assert.equal(createRunClock({ started_at: STARTED, answered_at, received }, () => 0).now(), 0)
  })
})
