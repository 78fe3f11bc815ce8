import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAgo } from './days.ts'

describe('days of the Today page', () => {
  test('a day begins at midnight of the clinic, also across a change of the clocks', () => {
    const afterMidnight = new Date('2026-11-17T23:35:00Z')
    assert.equal(daysAgo('Europe/Bucharest', 7, afterMidnight), '2026-11-10T22:00:00.000Z')
    assert.equal(daysAgo('Europe/London', 7, afterMidnight), '2026-11-10T00:00:00.000Z')
    assert.equal(daysAgo('Europe/Bucharest', 3, new Date('2026-10-26T12:00:00Z')), '2026-10-22T21:00:00.000Z')
  })
})
