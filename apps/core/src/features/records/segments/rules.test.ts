import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDay, type SegmentRule, shiftDay, todayIn } from '@tendon/contracts'
import fc from 'fast-check'
import { type Facts, judge } from './judging-rules.ts'
import { conditionOf, followsCalendar } from './rules.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('the calendar of rules', () => {
  test('a month that is too short ends on its last day', () => {
    const months = { amount: 1, unit: 'months' } as const
    assert.equal(shiftDay('2026-03-31', months, -1), '2026-02-28')
    assert.equal(shiftDay('2028-03-31', months, -1), '2028-02-29')
    assert.equal(shiftDay('2026-01-31', { amount: 13, unit: 'months' }, 1), '2027-02-28')
    assert.equal(shiftDay('2028-02-29', { amount: 1, unit: 'years' }, -1), '2027-02-28')
    assert.equal(shiftDay('2026-01-01', { amount: 1000, unit: 'years' }, -1), '1026-01-01')
  })

  test('days and weeks are counted one by one, and months there and back end at most three days earlier', () => {
    const days = fc.integer({ min: 0, max: 40_000 }).map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10))
    const amounts = fc.integer({ min: 1, max: 1000 })
    fc.assert(
      fc.property(days, amounts, (day, amount) => {
        const after = shiftDay(day, { amount, unit: 'days' }, 1)
        assert.equal(Date.parse(after) - Date.parse(day), amount * DAY_MS)
        assert.equal(shiftDay(after, { amount, unit: 'days' }, -1), day)
        assert.equal(
          shiftDay(day, { amount, unit: 'weeks' }, 1),
          shiftDay(day, { amount: amount * 7, unit: 'days' }, 1),
        )
        const there = shiftDay(day, { amount, unit: 'months' }, 1)
        assert.ok(isDay(there), there)
        const lost = Date.parse(day) - Date.parse(shiftDay(there, { amount, unit: 'months' }, -1))
        assert.ok(lost >= 0 && lost <= 3 * DAY_MS)
      }),
    )
  })

  test('today is the day in the clinic’s zone', () => {
    const now = new Date('2026-03-29T22:30:00Z')
    assert.equal(todayIn('Europe/Bucharest', now), '2026-03-30')
    assert.equal(todayIn('UTC', now), '2026-03-29')
    assert.equal(todayIn('Pacific/Kiritimati', now), '2026-03-30')
  })

  test('only days of the calendar are days', () => {
    for (const day of ['2026-02-28', '2028-02-29', '0001-01-01', '9999-12-31']) assert.ok(isDay(day), day)
    for (const none of [
      '2026-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      ' 2026-01-01',
      20260101,
      null,
    ])
      assert.equal(isDay(none), false, String(none))
  })

  test('a rule relative to today includes both ends, and only such rules depend on the date', () => {
    const rule = (op: SegmentRule['op'], value: SegmentRule['value'] & {}): SegmentRule => ({
      source: 'profile',
      custom_field_id: 'seen',
      op,
      value,
    })
    const holds = (one: SegmentRule, day: string) => {
      const facts: Facts = { profile: new Map([['seen', day]]), forms: new Map(), appointments: new Map() }
      return judge(conditionOf(one, 'date', '2026-06-15'), facts).holds
    }
    const week = { amount: 1, unit: 'weeks' } as const
    const days = ['2026-06-07', '2026-06-08', '2026-06-15', '2026-06-16', '2026-06-22', '2026-06-23']
    assert.deepEqual(
      days.map((day) => holds(rule('in_last', week), day)),
      [false, true, true, false, false, false],
    )
    assert.deepEqual(
      days.map((day) => holds(rule('not_in_last', week), day)),
      [true, false, false, true, true, true],
    )
    assert.deepEqual(
      days.map((day) => holds(rule('in_next', week), day)),
      [false, false, true, true, true, false],
    )
    assert.equal(followsCalendar([rule('gte', '2026-01-01')]), false)
    for (const op of ['in_last', 'not_in_last', 'in_next'] as const)
      assert.ok(followsCalendar([rule('eq', '2026-01-01'), rule(op, week)]))
  })
})
