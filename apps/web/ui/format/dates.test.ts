import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, dayIn, hourIn, windowOfDays } from './dates.ts'

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

  test('a window contains the whole day in the zones furthest east and west', () => {
    const { from, to } = windowOfDays('2026-11-16', 1)
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Bucharest']) {
      assert.ok(dayIn(zone, new Date(from)) <= '2026-11-16', zone)
      assert.ok(dayIn(zone, new Date(Date.parse(from) - 1)) < '2026-11-16', zone)
      assert.ok(dayIn(zone, new Date(to)) > '2026-11-16', zone)
    }
  })
})
