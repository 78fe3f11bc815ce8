import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deadlinesOf, possibleChanges } from './possible-changes.ts'

const HOUR = 3_600_000
const STARTS = '2026-12-01T10:00:00.000Z'

describe('changes that a patient can still make', () => {
  const deadlines = deadlinesOf(STARTS, { reschedule_notice_minutes: 24 * 60, cancel_notice_minutes: 2 * 60 })
  const hoursBefore = (hours: number) => possibleChanges(deadlines, Date.parse(STARTS) - hours * HOUR)

  test('each change is possible until its own notice', () => {
    assert.deepEqual(deadlines, {
      reschedule_until: '2026-11-30T10:00:00.000Z',
      cancel_until: '2026-12-01T08:00:00.000Z',
    })
    assert.deepEqual([25, 24, 3, 2, -1].map(hoursBefore), ['both', 'cancel', 'cancel', 'none', 'none'])
  })

  test('where moving has the shorter notice, moving stays possible longer', () => {
    const other = deadlinesOf(STARTS, { reschedule_notice_minutes: 60, cancel_notice_minutes: 24 * 60 })
    assert.equal(possibleChanges(other, Date.parse(STARTS) - 3 * HOUR), 'move')
  })

  test('a visit without a time cannot be changed', () => {
    assert.equal(possibleChanges({ reschedule_until: null, cancel_until: null }, 0), 'none')
  })
})
