import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { ageOn } from './age.ts'

const date = (min: string, max: string) =>
  fc
    .date({ min: new Date(min), max: new Date(max), noInvalidDate: true })
    .map((instant) => instant.toISOString().slice(0, 10))

describe('age', () => {
  test('a year is full on the birthday, not a day before or after', () => {
    assert.deepEqual(
      ['2026-11-16', '2026-11-17', '2026-11-18'].map((day) => ageOn(day, '1961-11-17')),
      [64, 65, 65],
    )
    assert.deepEqual([ageOn('2026-01-01', '2025-12-31'), ageOn('2026-11-17', '2026-11-17')], [0, 0])
  })

  test('somebody born on 29 February is a year older on 1 March when the year has no such day', () => {
    const ages = ['2026-02-28', '2026-03-01', '2028-02-28', '2028-02-29'].map((day) => ageOn(day, '2008-02-29'))
    assert.deepEqual(ages, [17, 18, 19, 20])
  })

  test('nobody has an age before the birth', () => {
    assert.equal(ageOn('2026-11-16', '2026-11-17'), undefined)
  })

  test('the age is the calendar’s difference in years, on every birthday too', () => {
    const birth = date('1900-01-01', '2030-12-31')
    fc.assert(
      fc.property(birth, fc.nat(130), fc.integer({ min: -2, max: 2 }), (born, years, days) => {
        const from = Temporal.PlainDate.from(born)
        const day = from.add({ years }).add({ days })
        const expected =
          Temporal.PlainDate.compare(day, from) < 0 ? undefined : from.until(day, { largestUnit: 'years' }).years
        assert.equal(ageOn(day.toString(), born), expected)
      }),
      { numRuns: 2_000 },
    )
  })
})
