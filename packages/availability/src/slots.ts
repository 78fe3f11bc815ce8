import { gridStarts, unofferedStarts } from './grid.ts'
import type { Calendar, DayCount, Question, Reason, Slot, Taken, UnavailableSlot } from './types.ts'
import { dayHours } from './windows.ts'
import { DAY_MS, dateOf, dayOf, localOf, MINUTE_MS, readZone, type Zone } from './zone.ts'

/** Every free slot, by start, then specialist. */
export function freeSlots(question: Question): Slot[] {
  return firstFree(question, Number.POSITIVE_INFINITY).slots
}

/**
 * The first `limit` free slots, and how many are free on each day: of the named zone, else of each calendar's. Starts stay
 * numbers until they are known to be shown: a month of twenty specialists has tens of thousands.
 */
export function firstFree(question: Question, limit: number, timeZone?: string): { slots: Slot[]; days: DayCount[] } {
  const zoneOf = zoneReader(question)
  const shownZone = timeZone === undefined ? undefined : readZone(timeZone, question.fromMs, question.toMs)
  const free = new Map<number, number>()
  const found: { startsAtMs: number; specialist_id: string; calendar: Calendar }[] = []
  for (const calendar of question.calendars) {
    const zone = zoneOf(calendar)
    const refusal = refusalOf(question, calendar, zone)
    const starts = gridStarts(question, calendar, zone).filter((startMs) => refusal(startMs) === undefined)
    countDays(starts, shownZone ?? zone, free)
    const { specialist_id } = calendar
    for (const startsAtMs of starts.slice(0, limit)) found.push({ startsAtMs, specialist_id, calendar })
  }
  return {
    slots: found
      .sort(byStart)
      .slice(0, limit)
      .map(({ startsAtMs, calendar }) => slotAt(question, calendar, zoneOf(calendar), startsAtMs)),
    days: [...free]
      .toSorted(([first], [second]) => first - second)
      .map(([day, count]) => ({ date: dateOf(day), free: count })),
  }
}

/** The first `limit` times on the grid that are not free, by start, then specialist, each with its reason. */
export function firstUnavailable(question: Question, limit: number): UnavailableSlot[] {
  const zoneOf = zoneReader(question)
  const found = question.calendars.flatMap((calendar) => {
    const zone = zoneOf(calendar)
    const refusal = refusalOf(question, calendar, zone)
    const refused = gridStarts(question, calendar, zone).flatMap((startsAtMs) => {
      const reason = refusal(startsAtMs)
      return reason ? [{ startsAtMs, specialist_id: calendar.specialist_id, reason }] : []
    })
    const unoffered = unofferedStarts(question, calendar, zone).map(({ startsAtMs, reason }) => ({
      startsAtMs,
      specialist_id: calendar.specialist_id,
      reason,
    }))
    return [...refused, ...unoffered].sort(byStart).slice(0, limit)
  })
  return found.sort(byStart).slice(0, limit)
}

/** Why a calendar does not offer a slot at this instant; undefined when it does. */
export function reasonAgainst(question: Question, calendar: Calendar, startsAtMs: number): Reason | undefined {
  const around = { ...question, calendars: [calendar], fromMs: startsAtMs, toMs: startsAtMs + 1 }
  const zone = zoneReader(around)(calendar)
  if (gridStarts(around, calendar, zone).length > 0) return refusalOf(around, calendar, zone)(startsAtMs)
  const day = dayHours(calendar, question.closures, question.service.id, dayOf(localOf(zone, startsAtMs)))
  return day.closedBy ?? 'outside_hours'
}

/** How much of the specialist's time is taken on the local day of the slot. */
export function takenOnDay(question: Question, slot: Slot): number {
  const calendar = question.calendars.find(({ id }) => id === slot.calendar_id)
  const zone = readZone(calendar?.time_zone ?? 'UTC', question.fromMs, question.toMs)
  const day = dayOf(localOf(zone, slot.startsAtMs))
  const [starts] = question.taken.get(slot.specialist_id) ?? [[]]
  return starts.filter((startMs) => dayOf(localOf(zone, startMs)) === day).length
}

const byStart = (
  a: { startsAtMs: number; specialist_id: string },
  b: { startsAtMs: number; specialist_id: string },
): number =>
  a.startsAtMs - b.startsAtMs || (a.specialist_id < b.specialist_id ? -1 : Number(a.specialist_id > b.specialist_id))

/** Reads each zone once. */
function zoneReader({ fromMs, toMs }: Question): (calendar: Calendar) => Zone {
  const zones = new Map<string, Zone>()
  return ({ time_zone }) => {
    const zone = zones.get(time_zone) ?? readZone(time_zone, fromMs, toMs)
    zones.set(time_zone, zone)
    return zone
  }
}

function slotAt({ service }: Question, calendar: Calendar, zone: Zone, startsAtMs: number): Slot {
  return {
    startsAtMs,
    endsAtMs: startsAtMs + service.duration_minutes * MINUTE_MS,
    date: dateOf(localOf(zone, startsAtMs)),
    specialist_id: calendar.specialist_id,
    location_id: calendar.location_id,
    calendar_id: calendar.id,
  }
}

/** Adds to the count of each local day. Starts of one day mostly follow each other, and are added together. */
function countDays(starts: readonly number[], zone: Zone, counts: Map<number, number>): void {
  let day = Number.NaN
  let count = 0
  const add = () => count > 0 && counts.set(day, (counts.get(day) ?? 0) + count)
  for (const startMs of starts) {
    const startDay = dayOf(localOf(zone, startMs))
    if (startDay !== day) {
      add()
      day = startDay
      count = 0
    }
    count += 1
  }
  add()
}

function refusalOf({ service, nowMs, taken, booked }: Question, { specialist_id }: Calendar, zone: Zone) {
  const earliestMs = nowMs + service.min_notice_minutes * MINUTE_MS
  const latestMs = service.max_days_ahead === null ? Number.POSITIVE_INFINITY : nowMs + service.max_days_ahead * DAY_MS
  const beforeMs = service.buffer_before_minutes * MINUTE_MS
  const afterMs = (service.duration_minutes + service.buffer_after_minutes) * MINUTE_MS
  const overlaps = overlapCheck(taken.get(specialist_id) ?? [[], []])
  const perDay = new Map<number, number>()
  countDays(booked?.get(specialist_id) ?? [], zone, perDay)
  return (startMs: number): Reason | undefined => {
    if (startMs < earliestMs) return 'notice'
    if (startMs > latestMs) return 'too_far_ahead'
    if (overlaps(startMs - beforeMs, startMs + afterMs)) return 'taken'
    if (service.max_per_day !== null && (perDay.get(dayOf(localOf(zone, startMs))) ?? 0) >= service.max_per_day)
      return 'max_per_day'
    return undefined
  }
}

/** Says whether [startMs, endMs) touches taken time; spans are merged once, then found by bisection. */
function overlapCheck([starts, ends]: Taken): (startMs: number, endMs: number) => boolean {
  const order = starts.map((_, index) => index).sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0))
  const from: number[] = []
  const to: number[] = []
  for (const index of order) {
    const startMs = starts[index] ?? 0
    const endMs = ends[index] ?? 0
    const lastMs = to.at(-1)
    if (lastMs !== undefined && startMs <= lastMs) to[to.length - 1] = Math.max(lastMs, endMs)
    else {
      from.push(startMs)
      to.push(endMs)
    }
  }
  return (startMs, endMs) => {
    let low = 0
    let high = to.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((to[middle] ?? 0) <= startMs) low = middle + 1
      else high = middle
    }
    return (from[low] ?? Number.POSITIVE_INFINITY) < endMs
  }
}
