import type { Calendar, Closure, Override } from './types.ts'
import { type Day, dayHours, includes, openWindow } from './windows.ts'
import { DAY_MS, dateOf, dayOf, localOf, readZone, type Zone } from './zone.ts'

/** A booked visit. */
export interface Booked {
  startsAtMs: number
  endsAtMs: number
  time_zone: string
  service_id: string
  location_id: string | null
  /** Null when staff booked it: then every calendar of the specialist at this location counts. */
  calendar_id: string | null
}

export type DayOff = Override | Closure

/** What takes the working hours of a booked visit away; undefined when the visit is inside hours or was always outside. */
export function dayOffOf(
  visit: Booked,
  calendars: readonly Calendar[],
  closures: readonly Closure[],
): DayOff | undefined {
  const zone = readZone(visit.time_zone, visit.startsAtMs, visit.endsAtMs)
  const date = dateOf(dayOf(localOf(zone, visit.startsAtMs)))
  const closed = closures.find(
    (closure) => includes(closure, date) && (!closure.location_id || closure.location_id === visit.location_id),
  )
  if (closed) return closed
  let cause: DayOff | undefined
  for (const calendar of calendars.filter((one) => isOf(one, visit))) {
    const found = inCalendar(visit, calendar, closures)
    if (found === 'open') return undefined
    cause ??= found
  }
  return cause
}

const isOf = ({ id, location_id }: Calendar, visit: Booked) =>
  visit.calendar_id === null
    ? location_id === null || visit.location_id === null || location_id === visit.location_id
    : id === visit.calendar_id

/** `open`: the visit is inside the hours of the calendar. */
function inCalendar(visit: Booked, calendar: Calendar, closures: readonly Closure[]): DayOff | 'open' | undefined {
  const zone = readZone(calendar.time_zone, visit.startsAtMs, visit.endsAtMs)
  const dayMs = dayOf(localOf(zone, visit.startsAtMs))
  const usual = { ...calendar, overrides: [] }
  let cause: DayOff | undefined
  // Hours of the day before may cross midnight.
  for (const day of [dayMs, dayMs - DAY_MS]) {
    const hours = dayHours(calendar, closures, visit.service_id, day)
    if (isInside(visit, zone, hours)) return 'open'
    const isClosed = day === dayMs && hours.windows.length === 0
    if (isClosed || isInside(visit, zone, dayHours(usual, [], visit.service_id, day))) cause ??= hours.by
  }
  return cause
}

const isInside = ({ startsAtMs, endsAtMs }: Booked, zone: Zone, { dayMs, windows }: Day) =>
  windows.some((window) => {
    const { startMs, endMs } = openWindow(zone, dayMs, window)
    return startsAtMs >= startMs && endsAtMs <= endMs
  })
