import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, dayIn, hourIn, mondayOf, startOfDay, windowOfDays } from './dates.ts'

describe('days in a time zone', () => {
  test('the day and hour of an instant are those of the zone', () => {
    const at = new Date('2026-03-28T22:30:00Z')
    assert.deepEqual([dayIn('Europe/Bucharest', at), hourIn('Europe/Bucharest', at)], ['2026-03-29', 0])
    assert.deepEqual([dayIn('America/New_York', at), hourIn('America/New_York', at)], ['2026-03-28', 18])
  })

  test('days are added across months, years and changes of the clock', () => {
    assert.equal(addDays('2026-03-28', 2), '2026-03-30')
    assert.equal(addDays('2026-12-31', 1), '2027-01-01')
    assert.equal(addDays('2026-03-01', -1), '2026-02-28')
  })

  test('a day starts at midnight of its time zone, also when the clocks change', () => {
    assert.equal(startOfDay('Europe/Bucharest', '2026-11-16'), '2026-11-15T22:00:00.000Z')
    assert.equal(startOfDay('Europe/Bucharest', '2026-03-29'), '2026-03-28T22:00:00.000Z')
    assert.equal(startOfDay('Europe/Bucharest', '2026-03-30'), '2026-03-29T21:00:00.000Z')
    assert.equal(startOfDay('Europe/Bucharest', '2026-10-26'), '2026-10-25T22:00:00.000Z')
    assert.equal(startOfDay('America/New_York', '2026-11-16'), '2026-11-16T05:00:00.000Z')
  })

  test('weeks start on Monday', () => {
    assert.deepEqual(['2026-11-16', '2026-11-22', '2026-11-15'].map(mondayOf), [
      '2026-11-16',
      '2026-11-16',
      '2026-11-09',
    ])
  })

  test('a window contains the whole day in the zones furthest east and west', () => {
    const { from, to } = windowOfDays('2026-11-16', 1)
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Bucharest']) {
      assert.ok(dayIn(zone, new Date(from)) <= '2026-11-16', zone)
      assert.ok(dayIn(zone, new Date(Date.parse(from) - 1)) < '2026-11-16', zone)
      assert.ok(dayIn(zone, new Date(to)) > '2026-11-16', zone)
    }
  })
})
