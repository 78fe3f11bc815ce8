import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { dayAround } from './index.ts'

const HOUR_MS = 3_600_000
const ZONES = ['Europe/Bucharest', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Cairo']

describe('the local day around an instant', () => {
  test('the local day around an instant has 23 and 25 hours when clocks change', () => {
    const hours = (instant: string) => {
      const { fromMs, toMs } = dayAround('Europe/Bucharest', Date.parse(instant))
      return (toMs - fromMs) / HOUR_MS
    }
    assert.deepEqual(
      ['2026-03-28T12:00Z', '2026-03-29T12:00Z', '2026-10-25T12:00Z', '2026-10-26T12:00Z'].map(hours),
      [24, 23, 25, 24],
    )
  })

  test('the local day around an instant is the day that Temporal gives, in any zone', () => {
    const hour = fc.integer({ min: 0, max: 4 * 365 * 24 })
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), hour, (timeZone, hours) => {
        const instantMs = Date.parse('2025-01-01T00:00Z') + hours * HOUR_MS
        const day = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timeZone).startOfDay()
        assert.deepEqual(dayAround(timeZone, instantMs), {
          fromMs: day.epochMilliseconds,
          toMs: day.add({ days: 1 }).startOfDay().epochMilliseconds,
        })
      }),
    )
  })
})
