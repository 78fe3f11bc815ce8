import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import {
  type Calendar,
  type Closure,
  freeSlots,
  instantOf,
  localOf,
  type Question,
  readZone,
  workingHours,
} from './index.ts'

const at = (text: string) => Date.parse(text)
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const QUARTER = 15 * MINUTE_MS

const calendar = (values: Partial<Calendar> = {}): Calendar => ({
  id: 'calendar',
  specialist_id: 'ana',
  location_id: 'centre',
  time_zone: 'Europe/Bucharest',
  weekly_hours: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '02:00', end: '06:00' })),
  overrides: [],
  ...values,
})
const shown = (calendars: Calendar[], from: string, to: string, closures: Closure[] = []) =>
  (workingHours({ fromMs: at(from), toMs: at(to), calendars, closures }).get('ana') ?? []).map(
    ({ fromMs, toMs }) => `${new Date(fromMs).toISOString().slice(5, 16)} ${(toMs - fromMs) / 3_600_000}h`,
  )

describe('working hours', () => {
  test('hours follow the local clock: the night in March is an hour shorter, that in October an hour longer', () => {
    assert.deepEqual(shown([calendar()], '2026-03-27T22:00Z', '2026-03-30T21:00Z'), [
      '03-28T00:00 4h',
      '03-29T00:00 3h',
      '03-29T23:00 4h',
    ])
    assert.deepEqual(shown([calendar()], '2026-10-23T21:00Z', '2026-10-26T22:00Z'), [
      '10-23T23:00 4h',
      '10-24T23:00 5h',
      '10-26T00:00 4h',
    ])
  })

  test('hours of several calendars are merged, and cut at the period', () => {
    const other = calendar({
      id: 'other',
      location_id: 'north',
      weekly_hours: [{ weekday: 1, start: '06:00', end: '08:00' }],
    })
    const monday = ['2026-03-02T01:00Z', '2026-03-02T22:00Z'] as const
    assert.deepEqual(shown([calendar(), other], ...monday), ['03-02T01:00 5h'])
    assert.deepEqual(shown([calendar(), other], ...monday, [{ date: '2026-03-02', location_id: 'north' }]), [
      '03-02T01:00 3h',
    ])
    assert.deepEqual(shown([calendar(), other], ...monday, [{ date: '2026-03-02' }]), [])
  })

  test('an override for one service changes no working hours; one for all does', () => {
    const off = { date: '2026-03-02', windows: [] }
    const monday = ['2026-03-01T22:00Z', '2026-03-02T22:00Z'] as const
    assert.deepEqual(shown([calendar({ overrides: [{ ...off, service_id: 'one' }] })], ...monday), ['03-02T00:00 4h'])
    assert.deepEqual(shown([calendar({ overrides: [{ ...off, service_id: null }] })], ...monday), [])
  })

  test('working hours hold exactly the slots that are offered when nothing is taken', () => {
    fc.assert(
      fc.property(QUESTIONS, (asked) => {
        const [hours = []] = [workingHours(asked).get('ana')]
        const zone = readZone(TIME_ZONE, asked.fromMs, asked.toMs)
        const expected: number[] = []
        for (const { fromMs, toMs } of hours) {
          for (let ms = Math.ceil(fromMs / QUARTER) * QUARTER; ms + QUARTER <= toMs; ms += QUARTER) {
            // The hour that autumn repeats is worked twice and offered once.
            if (instantOf(zone, localOf(zone, ms)) === ms) expected.push(ms)
          }
        }
        const offered = freeSlots(asked).map(({ startsAtMs }) => startsAtMs)
        assert.deepEqual([...new Set(offered)], expected)
      }),
      { numRuns: soakRuns(100), seed: soakSeed() },
    )
  })
})

const TIME_ZONE = 'Europe/Bucharest'
const clock = fc
  .integer({ min: 0, max: 95 })
  .map(
    (quarter) => `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`,
  )
const windows = fc.array(fc.record({ start: clock, end: clock }), { maxLength: 3 })
const place = fc.constantFrom('centre', 'north', null)
/** Around the changes of clocks in March and October, and elsewhere. */
const firstDay = fc.constantFrom('2026-03-26', '2026-10-22', '2026-06-01', '2026-12-30')
const dayNear = (first: string) =>
  fc.integer({ min: -2, max: 9 }).map((days) => new Date(at(first) + days * DAY_MS).toISOString().slice(0, 10))

const QUESTIONS: fc.Arbitrary<Question> = firstDay.chain((first) => {
  const override = fc.record({ date: dayNear(first), windows })
  const weekly = fc.array(fc.record({ weekday: fc.integer({ min: 1, max: 7 }), start: clock, end: clock }), {
    maxLength: 10,
  })
  const calendars = fc.array(
    fc.record({ location_id: place, weekly_hours: weekly, overrides: fc.array(override, { maxLength: 3 }) }),
    { minLength: 1, maxLength: 3 },
  )
  const closures = fc.array(fc.record({ date: dayNear(first), location_id: place }), { maxLength: 2 })
  return fc.record({ calendars, closures, hours: fc.integer({ min: 1, max: 170 }) }).map((made) => ({
    nowMs: 0,
    fromMs: at(first),
    toMs: at(first) + made.hours * 3_600_000,
    service: {
      id: 'service',
      duration_minutes: 15,
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
      slot_interval_minutes: 15,
      min_notice_minutes: 0,
      max_days_ahead: null,
      max_per_day: null,
    },
    calendars: made.calendars.map((one, index) => calendar({ ...one, id: String(index) })),
    closures: made.closures,
    taken: new Map(),
  }))
})
