import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Booked, type Calendar, dayOffOf } from './index.ts'

const visit = (from: string, values: Partial<Booked> = {}): Booked => ({
  startsAtMs: Date.parse(from),
  endsAtMs: Date.parse(from) + 3_600_000,
  time_zone: 'Europe/Bucharest',
  service_id: 'service',
  location_id: null,
  calendar_id: null,
  ...values,
})
const calendar = (values: Partial<Calendar> = {}): Calendar => ({
  id: 'calendar',
  specialist_id: 'ana',
  location_id: null,
  time_zone: 'Europe/Bucharest',
  weekly_hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '17:00' })),
  overrides: [],
  ...values,
})
// 2 March 2026 is a Monday; Bucharest is two hours ahead of UTC.
const MONDAY_10 = '2026-03-02T08:00:00Z'
const OFF = { date: '2026-03-02', windows: [], reason: 'Conference' }

describe('a booked visit on a day off', () => {
  test('a visit inside hours, and one that was always outside, are on no day off', () => {
    assert.equal(dayOffOf(visit(MONDAY_10), [calendar()], []), undefined)
    assert.equal(dayOffOf(visit('2026-03-02T18:00:00Z'), [calendar()], []), undefined)
    assert.equal(dayOffOf(visit(MONDAY_10), [], []), undefined)
  })

  test('a day off names itself, on its local day alone', () => {
    const ana = calendar({ overrides: [OFF] })
    assert.equal(dayOffOf(visit(MONDAY_10), [ana], []), OFF)
    assert.equal(dayOffOf(visit('2026-03-03T08:00:00Z'), [ana], []), undefined)
    assert.equal(dayOffOf(visit('2026-03-01T22:30:00Z'), [ana], []), OFF, '00:30 on Monday in Bucharest')
  })

  test('shorter hours take away only what is outside them', () => {
    const morning = { ...OFF, windows: [{ start: '09:00', end: '12:00' }] }
    const ana = calendar({ overrides: [morning] })
    assert.equal(dayOffOf(visit(MONDAY_10), [ana], []), undefined)
    assert.equal(dayOffOf(visit('2026-03-02T09:30:00Z'), [ana], []), morning, 'ends at 12:30')
  })

  test('hours that were added on a day make no day off of what was booked outside of all hours', () => {
    const added = { ...OFF, date: '2026-03-07', windows: [{ start: '09:00', end: '12:00' }] }
    assert.equal(dayOffOf(visit('2026-03-07T12:00:00Z'), [calendar({ overrides: [added] })], []), undefined)
    const longer = { ...OFF, windows: [{ start: '09:00', end: '18:00' }] }
    assert.equal(dayOffOf(visit('2026-03-02T18:00:00Z'), [calendar({ overrides: [longer] })], []), undefined)
  })

  test('the other calendar of the specialist at the same place may have hours then', () => {
    const off = calendar({ overrides: [OFF] })
    const other = calendar({ id: 'other', location_id: 'north' })
    assert.equal(dayOffOf(visit(MONDAY_10), [off, other], []), undefined)
    assert.equal(dayOffOf(visit(MONDAY_10, { calendar_id: 'calendar' }), [off, other], []), OFF)
    assert.equal(dayOffOf(visit(MONDAY_10, { location_id: 'south' }), [off, other], []), OFF)
  })

  test('a closure counts for its location, also for a specialist without hours', () => {
    const closure = { date: '2026-03-01', date_to: '2026-03-02', location_id: 'north', reason: 'Flood' }
    assert.equal(dayOffOf(visit(MONDAY_10, { location_id: 'north' }), [], [closure]), closure)
    assert.equal(dayOffOf(visit(MONDAY_10, { location_id: 'south' }), [calendar()], [closure]), undefined)
    assert.equal(dayOffOf(visit(MONDAY_10), [calendar({ location_id: 'north' })], [closure]), closure)
    assert.equal(dayOffOf(visit(MONDAY_10), [calendar()], [{ ...closure, location_id: null }])?.reason, 'Flood')
  })

  test('a night that begins on a day off is off after midnight too', () => {
    const nights = calendar({ weekly_hours: [{ weekday: 1, start: '22:00', end: '04:00' }], overrides: [OFF] })
    assert.equal(dayOffOf(visit('2026-03-02T23:00:00Z'), [nights], []), OFF)
    assert.equal(dayOffOf(visit('2026-03-02T23:00:00Z'), [{ ...nights, overrides: [] }], []), undefined)
  })

  test('a day off for one service leaves the others', () => {
    const off = { ...OFF, service_id: 'other' }
    assert.equal(dayOffOf(visit(MONDAY_10), [calendar({ overrides: [off] })], []), undefined)
  })
})
