import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import {
  type Calendar,
  firstFree,
  firstUnavailable,
  freeSlots,
  instantOf,
  type Question,
  readZone,
  reasonAgainst,
  takenOnDay,
} from './index.ts'

const at = (text: string) => Date.parse(text)
const SERVICE: Question['service'] = {
  id: 'service',
  duration_minutes: 60,
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  slot_interval_minutes: 60,
  min_notice_minutes: 0,
  max_days_ahead: null,
  max_per_day: null,
}
const calendar = (values: Partial<Calendar> = {}): Calendar => ({
  id: 'calendar',
  specialist_id: 'ana',
  location_id: 'centre',
  time_zone: 'Europe/Bucharest',
  weekly_hours: [],
  overrides: [],
  ...values,
})
const daily = (start: string, end: string) => [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start, end }))
const question = (values: Partial<Question>): Question => ({
  nowMs: at('2026-01-01T00:00Z'),
  fromMs: at('2026-03-02T00:00Z'),
  toMs: at('2026-03-03T00:00Z'),
  service: SERVICE,
  calendars: [calendar({ weekly_hours: daily('09:00', '12:00') })],
  closures: [],
  taken: new Map(),
  ...values,
})
const starts = (asked: Question) =>
  freeSlots(asked).map(({ startsAtMs }) => new Date(startsAtMs).toISOString().slice(0, 16))

describe('availability', () => {
  test('slots follow the local grid inside working hours, and the last one ends with them', () => {
    assert.deepEqual(starts(question({})), ['2026-03-02T07:00', '2026-03-02T08:00', '2026-03-02T09:00'])
    const halfHours = question({ calendars: [calendar({ weekly_hours: daily('09:15', '11:00') })] })
    assert.deepEqual(starts(halfHours), ['2026-03-02T08:00'])
  })

  test('taken time with buffers, notice and the limit of days hide slots, each with its reason', () => {
    const service = { ...SERVICE, buffer_before_minutes: 15, buffer_after_minutes: 15, max_per_day: 2 }
    const taken = new Map([['ana', [[at('2026-03-02T08:00Z')], [at('2026-03-02T08:10Z')]] as const]])
    const asked = question({ service, taken })
    assert.deepEqual(starts(asked), ['2026-03-02T09:00'])
    const [one] = asked.calendars
    assert.ok(one)
    const reason = (values: Partial<Question>, time = '2026-03-02T07:00Z') =>
      reasonAgainst({ ...asked, ...values }, one, at(time))
    assert.equal(reason({}), 'taken')
    assert.equal(reason({}, '2026-03-02T09:00Z'), undefined)
    assert.equal(reason({}, '2026-03-02T03:00Z'), 'outside_hours')
    assert.equal(reason({ taken: new Map(), nowMs: at('2026-03-02T07:01Z') }), 'notice')
    assert.equal(reason({ taken: new Map(), service: { ...service, max_days_ahead: 1 } }), 'too_far_ahead')
    assert.equal(reason({ closures: [{ date: '2026-03-01', date_to: '2026-03-05' }] }), 'closure')
    const booked = new Map([['ana', [at('2026-03-02T06:00Z'), at('2026-03-02T06:30Z')]]])
    assert.equal(reason({ taken: new Map(), booked }), 'max_per_day')
    const closed = calendar({ weekly_hours: daily('09:00', '12:00'), overrides: [{ date: '2026-03-02', windows: [] }] })
    assert.equal(reasonAgainst(question({ calendars: [closed] }), closed, at('2026-03-02T07:00Z')), 'override')
  })

  test('an override replaces the day; one for the service comes before one for all', () => {
    const overrides = [
      { date: '2026-03-02', windows: [{ start: '14:00', end: '15:00' }], service_id: 'service' },
      { date: '2026-03-01', date_to: '2026-03-03', windows: [] },
      { date: '2026-03-02', windows: [{ start: '10:00', end: '12:00' }], service_id: 'other' },
    ]
    const calendars = [calendar({ weekly_hours: daily('09:00', '12:00'), overrides })]
    assert.deepEqual(starts(question({ calendars })), ['2026-03-02T12:00'])
    assert.deepEqual(starts(question({ calendars, service: { ...SERVICE, id: 'third' } })), [])
  })

  test('a closure of one location leaves the others open', () => {
    const calendars = [
      calendar({ weekly_hours: daily('09:00', '10:00') }),
      calendar({ id: 'second', specialist_id: 'dan', location_id: 'north', weekly_hours: daily('09:00', '10:00') }),
    ]
    const slots = freeSlots(question({ calendars, closures: [{ date: '2026-03-02', location_id: 'centre' }] }))
    assert.deepEqual(
      slots.map(({ specialist_id }) => specialist_id),
      ['dan'],
    )
  })

  test('a window over midnight belongs to the day on which it starts', () => {
    const night = [{ weekday: 1, start: '22:00', end: '02:00' }]
    const calendars = [calendar({ time_zone: 'UTC', weekly_hours: night })]
    const week = { fromMs: at('2026-03-02T00:00Z'), toMs: at('2026-03-09T00:00Z') }
    const expected = ['2026-03-02T22:00', '2026-03-02T23:00', '2026-03-03T00:00', '2026-03-03T01:00']
    assert.deepEqual(starts(question({ calendars, ...week })), expected)
    const wholeDay = [calendar({ time_zone: 'UTC', weekly_hours: [{ weekday: 1, start: '00:00', end: '24:00' }] })]
    assert.equal(starts(question({ calendars: wholeDay, ...week })).length, 24)
  })

  test('the hour that spring skips is not offered, and the hour that autumn repeats is offered once', () => {
    const calendars = [calendar({ weekly_hours: daily('02:00', '06:00') })]
    const spring = { fromMs: at('2026-03-28T22:00Z'), toMs: at('2026-03-29T21:00Z') }
    assert.deepEqual(starts(question({ calendars, ...spring })), [
      '2026-03-29T00:00',
      '2026-03-29T01:00',
      '2026-03-29T02:00',
    ])
    const autumn = { fromMs: at('2026-10-24T21:00Z'), toMs: at('2026-10-25T22:00Z') }
    assert.deepEqual(starts(question({ calendars, ...autumn })), [
      '2026-10-24T23:00',
      '2026-10-25T00:00',
      '2026-10-25T02:00',
      '2026-10-25T03:00',
    ])
  })

  test('days are counted in the requested time zone, independent of the number of listed slots', () => {
    const calendars = [calendar({ weekly_hours: daily('00:00', '03:00') })]
    const asked = question({ calendars, fromMs: at('2026-03-01T22:00Z'), toMs: at('2026-03-03T22:00Z') })
    assert.deepEqual(firstFree(asked, 1).days, [
      { date: '2026-03-02', free: 3 },
      { date: '2026-03-03', free: 3 },
    ])
    const { slots, days } = firstFree(asked, 1, 'Etc/UTC')
    assert.equal(slots.length, 1)
    assert.deepEqual(days, [
      { date: '2026-03-01', free: 2 },
      { date: '2026-03-02', free: 3 },
      { date: '2026-03-03', free: 1 },
    ])
  })

  test('times that are not free follow the local grid, also where an offset has half an hour', () => {
    const time_zone = 'Asia/Kolkata'
    const calendars = [calendar({ time_zone, weekly_hours: daily('09:00', '10:00') })]
    const day = { fromMs: at('2026-03-01T18:30Z'), toMs: at('2026-03-02T18:30Z') }
    const found = firstUnavailable(question({ calendars, ...day }), 100)
    assert.equal(found.length, 23)
    assert.ok(
      found.every(({ reason, startsAtMs }) => reason === 'outside_hours' && startsAtMs % 3_600_000 === 1_800_000),
    )
    const closed = firstUnavailable(question({ calendars, ...day, closures: [{ date: '2026-03-02' }] }), 100)
    assert.deepEqual([...new Set(closed.map(({ reason }) => reason))], ['closure'])
    assert.equal(firstUnavailable(question({ calendars, ...day }), 5).length, 5)
  })

  test('only time taken on the local day of a slot counts for the choice of a specialist', () => {
    const taken = new Map([
      [
        'ana',
        [[at('2026-03-01T21:59Z'), at('2026-03-01T22:00Z'), at('2026-03-02T21:59Z'), at('2026-03-02T22:00Z')], []],
      ],
    ] as const)
    const asked = question({ taken })
    const slot = freeSlots(question({}))[0]
    assert.ok(slot)
    assert.equal(takenOnDay(asked, slot), 2)
  })

  const ZONES = [
    'Europe/Bucharest',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'America/Los_Angeles',
  ]

  test('local times become the instants that Temporal gives, in every zone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 4 * 365 * 96 }), (timeZone, quarters) => {
        const localMs = at('2024-01-01T00:00Z') + quarters * 900_000
        const plain = Temporal.PlainDateTime.from(new Date(localMs).toISOString().slice(0, 19))
        const zoned = plain.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
        const exists = zoned.toPlainDateTime().equals(plain)
        const zone = readZone(timeZone, localMs - 86_400_000, localMs + 86_400_000)
        assert.equal(instantOf(zone, localMs), exists ? zoned.epochMilliseconds : undefined)
      }),
      { numRuns: soakRuns(100), seed: soakSeed() },
    )
  })

  test('no slot overlaps taken time or leaves working hours, and none that fits is missing', () => {
    const minutes = fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15)
    const clock = (minute: number) =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(...CHANGES).map(daysAfterStart)),
        minutes,
        minutes,
        fc.constantFrom(15, 20, 30, 60),
        fc.constantFrom(15, 45, 60),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 190 }), fc.integer({ min: 1, max: 12 })), { maxLength: 8 }),
        (timeZone, day, open, close, interval, duration, claims) => {
          const fromMs = at('2025-01-01T00:00Z') + day * 86_400_000
          const toMs = fromMs + 2 * 86_400_000
          const spans = [
            claims.map(([start]) => fromMs + start * 900_000),
            claims.map(([start, length]) => fromMs + (start + length) * 900_000),
          ] as const
          const asked = question({
            nowMs: 0,
            fromMs,
            toMs,
            service: { ...SERVICE, slot_interval_minutes: interval, duration_minutes: duration },
            calendars: [calendar({ time_zone: timeZone, weekly_hours: daily(clock(open), clock(close)) })],
            taken: new Map([['ana', spans]]),
          })
          const found = new Set(freeSlots(asked).map(({ startsAtMs }) => startsAtMs))
          assert.deepEqual(found, byTemporal(asked, timeZone, open, close))
        },
      ),
      { numRuns: soakRuns(60), seed: soakSeed() },
    )
  })
})

/** Days on which clocks of these zones change, in Europe, America and Australia; half of all runs are about them. */
const CHANGES = ['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-04-05', '2026-10-04', '2025-03-30']
/** The window is two days long and begins on the day before. */
const daysAfterStart = (day: string) => (at(day) - at('2025-01-01')) / 86_400_000 - 1

/** The same rules in the slowest way: asks Temporal about every minute. */
function byTemporal(
  { fromMs, toMs, service, taken }: Question,
  timeZone: string,
  open: number,
  close: number,
): Set<number> {
  const found = new Set<number>()
  const first = Temporal.Instant.fromEpochMilliseconds(fromMs)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .subtract({ days: 1 })
  for (let index = 0; index < 5; index++) {
    const date = first.add({ days: index })
    const wall = (minute: number) => date.toPlainDateTime().add({ minutes: minute })
    const endMinute = close <= open ? close + 1440 : close
    const boundary = (minute: number) => {
      const zoned = wall(minute).toZonedDateTime(timeZone, { disambiguation: 'earlier' })
      if (zoned.toPlainDateTime().equals(wall(minute))) return zoned.epochMilliseconds
      return zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? 0
    }
    for (let minute = open; minute < endMinute; minute++) {
      if ((minute % 1440) % service.slot_interval_minutes !== 0) continue
      const zoned = wall(minute).toZonedDateTime(timeZone, { disambiguation: 'earlier' })
      if (!zoned.toPlainDateTime().equals(wall(minute))) continue
      const startMs = zoned.epochMilliseconds
      const endMs = startMs + service.duration_minutes * 60_000
      if (startMs < fromMs || startMs >= toMs || startMs < boundary(open) || endMs > boundary(endMinute)) continue
      const [from, to] = taken.get('ana') ?? [[], []]
      if (from.some((start, span) => start < endMs && (to[span] ?? 0) > startMs)) continue
      found.add(startMs)
    }
  }
  return found
}
