import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, dayIn, startOfDay } from './times.ts'

describe('days in a time zone', () => {
  test('a day begins at the zone’s midnight, also when the clocks change', () => {
    assert.equal(startOfDay('2026-11-16', 'Europe/Bucharest'), '2026-11-15T22:00:00.000Z')
    assert.equal(startOfDay('2026-03-29', 'Europe/Bucharest'), '2026-03-28T22:00:00.000Z')
    assert.equal(startOfDay('2026-03-30', 'Europe/Bucharest'), '2026-03-29T21:00:00.000Z')
    assert.equal(startOfDay('2026-10-26', 'Europe/Bucharest'), '2026-10-25T22:00:00.000Z')
    assert.equal(startOfDay('2026-11-16', 'America/New_York'), '2026-11-16T05:00:00.000Z')
  })

  test('an instant is on its own day in each zone', () => {
    const at = new Date('2026-11-16T22:30:00Z')
    assert.equal(dayIn(at, 'Europe/Bucharest'), '2026-11-17')
    assert.equal(dayIn(at, 'America/New_York'), '2026-11-16')
  })

  test('days are added over the end of a month', () => {
    assert.equal(addDays('2026-11-30', 1), '2026-12-01')
    assert.equal(addDays('2026-03-01', -1), '2026-02-28')
  })
})
