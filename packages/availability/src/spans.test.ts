import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import { daysBetween, localLength, mergeSpans, type Span } from './index.ts'

const at = (text: string) => Date.parse(text)
const HOUR_MS = 3_600_000
const BUCHAREST = 'Europe/Bucharest'

describe('spans', () => {
  test('merged spans cover the same time, in order, without overlaps', () => {
    const span = fc
      .tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: -2, max: 10 }))
      .map(([fromMs, length]) => ({ fromMs, toMs: fromMs + length }))
    const covered = (spans: readonly Span[], ms: number) => spans.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
        const merged = mergeSpans(spans)
        for (let ms = 0; ms < 62; ms++) assert.equal(covered(merged, ms), covered(spans, ms))
        for (const [index, { fromMs, toMs }] of merged.entries()) {
          assert.ok(fromMs < toMs)
          assert.ok(fromMs > (merged[index - 1]?.toMs ?? -1))
        }
      }),
      { numRuns: soakRuns(200), seed: soakSeed() },
    )
  })

  test('a week in which clocks change has seven days, one of 23 or 25 hours', () => {
    const weeks = [
      ['2026-03-22T22:00Z', '2026-03-29T21:00Z', 23],
      ['2026-10-18T21:00Z', '2026-10-25T22:00Z', 25],
    ] as const
    for (const [from, to, lastHours] of weeks) {
      const days = daysBetween(BUCHAREST, at(from), at(to))
      assert.equal(days.length, 7)
      assert.deepEqual(
        days.map((day) => (day.toMs - day.fromMs) / HOUR_MS),
        [24, 24, 24, 24, 24, 24, lastHours],
      )
      assert.equal(localLength(BUCHAREST, at(from), at(to)), 7 * 24 * HOUR_MS)
    }
  })

  test('the first and the last day may be parts of a day', () => {
    assert.deepEqual(
      daysBetween(BUCHAREST, at('2026-03-02T10:00Z'), at('2026-03-03T10:00Z')).map((day) => [
        day.date,
        (day.toMs - day.fromMs) / HOUR_MS,
      ]),
      [
        ['2026-03-02', 12],
        ['2026-03-03', 12],
      ],
    )
  })

  test('a day that a zone skipped is not among the days', () => {
    const days = daysBetween('Pacific/Apia', at('2011-12-29T10:00Z'), at('2011-12-31T10:00Z'))
    assert.deepEqual(
      days.map(({ date }) => date),
      ['2011-12-29', '2011-12-31'],
    )
  })
})
