import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysBetween, type LocalDay, localLength } from '@tendon/availability'
import { soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import { hasTooManyVisits, isShown, isTooLong, isTooLongAnywhere } from './rules.ts'
import { takenByDay } from './taken.ts'

const ZONE = 'Europe/Bucharest'
const HOUR_MS = 3_600_000
const at = (text: string) => Date.parse(text)
const visit = (from: string, hours = 1, specialist_id: string | null = 'ana') => ({
  specialist_id,
  fromMs: at(from),
  toMs: at(from) + hours * HOUR_MS,
})
const shown = (days: LocalDay[], ...visits: ReturnType<typeof visit>[]) =>
  takenByDay(visits, days).map(({ specialist_id, day, visits: count, spans }) => [
    specialist_id,
    day,
    count,
    spans.map(({ fromMs, toMs }) => `${new Date(fromMs).toISOString().slice(8, 16)} ${(toMs - fromMs) / HOUR_MS}h`),
  ])

describe('the calendar’s rules', () => {
  test('fourteen days are allowed when clocks change too, and not a minute more', () => {
    for (const [from, to] of [
      ['2026-03-17T22:00Z', '2026-03-31T21:00Z'],
      ['2026-10-17T21:00Z', '2026-10-31T22:00Z'],
      ['2026-06-01T21:00Z', '2026-06-15T21:00Z'],
    ] as const) {
      assert.equal(isTooLong(localLength(ZONE, at(from), at(to))), false)
      assert.equal(isTooLongAnywhere(new Date(from), new Date(to)), false)
      assert.equal(isTooLong(localLength(ZONE, at(from), at(to) + 60_000)), true)
    }
    assert.equal(isTooLongAnywhere(new Date('2026-01-01T00:00Z'), new Date('2026-02-01T00:00Z')), true)
    assert.deepEqual([1500, 1501].map(hasTooManyVisits), [false, true])
  })

  test('visits are counted by specialist and local day, and touching ones take one span', () => {
    const days = daysBetween(ZONE, at('2026-03-01T22:00Z'), at('2026-03-08T22:00Z'))
    assert.deepEqual(
      shown(
        days,
        visit('2026-03-02T08:00Z'),
        visit('2026-03-02T09:00Z'),
        visit('2026-03-02T12:00Z'),
        visit('2026-03-04T08:00Z'),
        visit('2026-03-02T08:00Z', 1, null),
      ),
      [
        ['ana', '2026-03-02', 3, ['02T08:00 2h', '02T12:00 1h']],
        ['ana', '2026-03-04', 1, ['04T08:00 1h']],
        [null, '2026-03-02', 1, ['02T08:00 1h']],
      ],
    )
  })

  test('a visit over midnight counts once and takes time on both days', () => {
    const days = daysBetween(ZONE, at('2026-03-01T22:00Z'), at('2026-03-03T22:00Z'))
    assert.deepEqual(shown(days, visit('2026-03-02T21:00Z', 3)), [
      ['ana', '2026-03-02', 1, ['02T21:00 1h']],
      ['ana', '2026-03-03', 0, ['02T22:00 2h']],
    ])
    assert.deepEqual(shown(days, visit('2026-03-01T21:00Z', 3)), [['ana', '2026-03-02', 1, ['01T22:00 2h']]])
  })

  test('visits of a night on which clocks change are on their local day', () => {
    const march = daysBetween(ZONE, at('2026-03-27T22:00Z'), at('2026-03-30T21:00Z'))
    assert.deepEqual(shown(march, visit('2026-03-29T20:00Z'), visit('2026-03-29T21:00Z')), [
      ['ana', '2026-03-29', 1, ['29T20:00 1h']],
      ['ana', '2026-03-30', 1, ['29T21:00 1h']],
    ])
    const october = daysBetween(ZONE, at('2026-10-23T21:00Z'), at('2026-10-26T22:00Z'))
    assert.deepEqual(shown(october, visit('2026-10-25T21:00Z'), visit('2026-10-25T22:00Z')), [
      ['ana', '2026-10-25', 1, ['25T21:00 1h']],
      ['ana', '2026-10-26', 1, ['25T22:00 1h']],
    ])
  })

  test('every visit is counted once, and the taken time is that of all visits', () => {
    const [fromMs, toMs] = [at('2026-10-18T21:00Z'), at('2026-10-25T22:00Z')]
    const days = daysBetween(ZONE, fromMs, toMs)
    const hours = (toMs - fromMs) / HOUR_MS
    const times = fc.array(
      fc
        .tuple(
          fc.constantFrom('ana', 'dan', null),
          fc.integer({ min: -23, max: hours - 1 }),
          fc.integer({ min: 1, max: 24 }),
        )
        .map(([specialist_id, start, length]) => ({
          specialist_id,
          fromMs: fromMs + start * HOUR_MS,
          toMs: fromMs + (start + length) * HOUR_MS,
        }))
        .filter((time) => time.toMs > fromMs),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(times, (visits) => {
        const taken = takenByDay(visits, days)
        assert.equal(
          taken.reduce((sum, day) => sum + day.visits, 0),
          visits.length,
        )
        for (const specialist of ['ana', 'dan', null]) {
          const own = visits.filter(({ specialist_id }) => specialist_id === specialist)
          const spans = taken.filter(({ specialist_id }) => specialist_id === specialist).flatMap((day) => day.spans)
          for (let ms = fromMs; ms < toMs; ms += HOUR_MS) {
            const isIn = (span: { fromMs: number; toMs: number }) => span.fromMs <= ms && ms < span.toMs
            assert.equal(spans.some(isIn), own.some(isIn))
          }
        }
      }),
      { numRuns: soakRuns(100), seed: soakSeed() },
    )
  })

  test('closures are shown on their days, and of other locations only without a filter', () => {
    const days = { first: '2026-03-02', last: '2026-03-08' }
    const closure = { date: '2026-03-08', date_to: null, location_id: 'north' }
    assert.equal(isShown(closure, days, null), true)
    assert.equal(isShown(closure, days, 'north'), true)
    assert.equal(isShown(closure, days, 'south'), false)
    assert.equal(isShown({ ...closure, location_id: null }, days, 'south'), true)
    assert.equal(isShown({ ...closure, date: '2026-03-09' }, days, null), false)
    assert.equal(isShown({ ...closure, date: '2026-02-20', date_to: '2026-03-01' }, days, null), false)
    assert.equal(isShown({ ...closure, date: '2026-02-20', date_to: '2026-03-02' }, days, null), true)
  })
})
