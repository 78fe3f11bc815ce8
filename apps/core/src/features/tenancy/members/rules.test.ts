import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { MAX_INVITATIONS_AGAIN_A_DAY, secondsToNextDay, secondsToWait } from './rules.ts'

describe('the time between two invitations', () => {
  const now = new Date('2026-11-19T10:00:00Z')
  const ago = (ms: number) => secondsToWait(new Date(now.getTime() - ms).toISOString(), now)

  test('a member who was never invited, or more than a minute ago, can be invited now', () => {
    assert.deepEqual([secondsToWait(null, now), ago(60_000), ago(3_600_000)], [0, 0, 0])
  })

  test('after five more invitations within a day, the next is possible a day after the first of them', () => {
    const times = (...hours: number[]) => hours.map((one) => new Date(now.getTime() - one * 3_600_000).toISOString())
    assert.equal(MAX_INVITATIONS_AGAIN_A_DAY, 5)
    assert.deepEqual(
      [[], times(1, 2, 3, 4), times(1, 2, 3, 4, 23), times(1, 2, 3, 4, 24), times(-1, -1, -1, -1, -1)].map((one) =>
        secondsToNextDay(one, now),
      ),
      [0, 0, 3_600, 0, 86_400],
    )
  })

  test('the wait is 1 to 60 seconds, also when the clock of the database is ahead', () => {
    assert.deepEqual([ago(0), ago(59_999), ago(18_000), ago(-5_000)], [60, 1, 42, 60])
    fc.assert(fc.property(fc.integer({ min: -1_000_000, max: 59_999 }), (ms) => ago(ms) >= 1 && ago(ms) <= 60))
  })
})
