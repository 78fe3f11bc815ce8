import type { RelativeTime } from './segments.ts'

// Days are ISO texts (YYYY-MM-DD): they sort as text, here and in the database.

/** A time zone can be written in capitals or not, so there are more spellings than zones. */
const MAX_CALENDARS = 1_000
/** One for each time zone that was asked for: to make one takes a third of a millisecond. */
const calendars = new Map<string, Intl.DateTimeFormat>()

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  if (calendars.size >= MAX_CALENDARS) calendars.clear()
  calendars.set(timeZone, made)
  return made
}

/** The day it is there. */
export function todayIn(timeZone: string, now: Date): string {
  const parts = calendarOf(timeZone).formatToParts(now)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const daysOfMonth = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

/** A day of the calendar, written so: 2026-02-30 is none. */
export function isDay(text: unknown): text is string {
  const found = typeof text === 'string' ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) : null
  if (!found) return false
  const [year = 0, month = 0, day = 0] = found.slice(1).map(Number)
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month)
}

/** Everything that is written like a day of these years, whether or not the calendar has it. */
export function listDaysOfYears(first: number, last: number): string[] {
  const days: string[] = []
  for (let year = first; year <= last; year += 1)
    for (let month = 1; month <= 12; month += 1)
      for (let date = 1; date <= 31; date += 1) days.push(dayOf(year, month, date))
  return days
}

const dayOf = (year: number, month: number, date: number) =>
  [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-')

/** The day so long after `day`, or before it. A month that is too short ends on its last day: 31 March − 1 month is in February. */
export function shiftDay(day: string, { amount, unit }: RelativeTime, direction: 1 | -1): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  if (unit === 'days' || unit === 'weeks') {
    const days = direction * amount * (unit === 'weeks' ? 7 : 1)
    return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10)
  }
  const months = year * 12 + (month - 1) + direction * amount * (unit === 'years' ? 12 : 1)
  const [toYear, toMonth] = [Math.floor(months / 12), (months % 12) + 1]
  return dayOf(toYear, toMonth, Math.min(date, daysOfMonth(toYear, toMonth)))
}
