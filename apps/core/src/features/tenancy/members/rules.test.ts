import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { secondsToWait } from './rules.ts'

describe('the time between two invitations', () => {
  const now = new Date('2026-11-19T10:00:00Z')
  const ago = (ms: number) => secondsToWait(new Date(now.getTime() - ms).toISOString(), now)

  test('a member who was never invited, or more than a minute ago, can be invited now', () => {
    assert.deepEqual([secondsToWait(null, now), ago(60_000), ago(3_600_000)], [0, 0, 0])
  })

  test('the wait is 1 to 60 seconds, also when the clock of the database is ahead', () => {
    assert.deepEqual([ago(0), ago(59_999), ago(18_000), ago(-5_000)], [60, 1, 42, 60])
    fc.assert(fc.property(fc.integer({ min: -1_000_000, max: 59_999 }), (ms) => ago(ms) >= 1 && ago(ms) <= 60))
  })
})
