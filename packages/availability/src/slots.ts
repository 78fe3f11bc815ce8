import type { Calendar, Question, Reason, Slot, Span } from './types.ts'
import { dayHours, localDays, openWindow } from './windows.ts'
import { DAY_MS, dateOf, dayOf, instantOf, localOf, MINUTE_MS, readZone, type Zone } from './zone.ts'

/** Every free slot, by start, then specialist. */
export function freeSlots(question: Question): Slot[] {
  const zones = zonesOf(question)
  const slots = question.calendars.flatMap((calendar) =>
    candidates(question, calendar, zones.get(calendar.time_zone) as Zone).filter(limitsOf(question, calendar, zones)),
  )
  return slots.sort(
    (a, b) =>
      a.startsAtMs - b.startsAtMs ||
      (a.specialist_id < b.specialist_id ? -1 : Number(a.specialist_id > b.specialist_id)),
  )
}

/** Why a calendar does not offer a slot at this instant; undefined when it does. */
export function reasonAgainst(question: Question, calendar: Calendar, startsAtMs: number): Reason | undefined {
  const around = { ...question, calendars: [calendar], fromMs: startsAtMs, toMs: startsAtMs + 1 }
  const zones = zonesOf(around)
  const zone = zones.get(calendar.time_zone) as Zone
  const slot = candidates(around, calendar, zone)[0]
  if (!slot) {
    const day = dayHours(calendar, question.closures, question.service.id, dayOf(localOf(zone, startsAtMs)))
    return day.closedBy ?? 'outside_hours'
  }
  return refusalOf(around, calendar, zones)(slot)
}

function zonesOf({ calendars, fromMs, toMs }: Question): Map<string, Zone> {
  const names = new Set(calendars.map(({ time_zone }) => time_zone))
  return new Map([...names].map((name) => [name, readZone(name, fromMs, toMs)]))
}

/** Slots on the grid inside working hours, whether free or not. */
function candidates(question: Question, calendar: Calendar, zone: Zone): Slot[] {
  const { fromMs, toMs, service, closures } = question
  const intervalMs = service.slot_interval_minutes * MINUTE_MS
  const durationMs = service.duration_minutes * MINUTE_MS
  const slots: Slot[] = []
  const seen = new Set<number>()
  const dates = new Map<number, string>()
  const dateAt = (localMs: number): string => {
    const day = dayOf(localMs)
    const date = dates.get(day) ?? dateOf(localMs)
    dates.set(day, date)
    return date
  }
  for (const dayMs of localDays(zone, fromMs, toMs)) {
    for (const window of dayHours(calendar, closures, service.id, dayMs).windows) {
      const { startMs, endMs, localStartMs, localEndMs } = openWindow(zone, dayMs, window)
      for (const localMs of gridTimes(localStartMs, localEndMs, intervalMs)) {
        const startsAtMs = instantOf(zone, localMs)
        if (startsAtMs === undefined || startsAtMs < fromMs || startsAtMs >= toMs || seen.has(startsAtMs)) continue
        if (startsAtMs < startMs || startsAtMs + durationMs > endMs) continue
        seen.add(startsAtMs)
        slots.push({
          startsAtMs,
          endsAtMs: startsAtMs + durationMs,
          date: dateAt(localMs),
          specialist_id: calendar.specialist_id,
          location_id: calendar.location_id,
          calendar_id: calendar.id,
        })
      }
    }
  }
  return slots
}

/** Local times whose minutes after their own midnight are divisible by the interval. */
function* gridTimes(startMs: number, endMs: number, intervalMs: number): Generator<number> {
  for (let dayMs = dayOf(startMs); dayMs < endMs; dayMs += DAY_MS) {
    const first = Math.max(0, Math.ceil((startMs - dayMs) / intervalMs)) * intervalMs
    const until = Math.min(DAY_MS, endMs - dayMs)
    for (let offset = first; offset < until; offset += intervalMs) yield dayMs + offset
  }
}

const limitsOf = (question: Question, calendar: Calendar, zones: Map<string, Zone>) => {
  const refusal = refusalOf(question, calendar, zones)
  return (slot: Slot) => refusal(slot) === undefined
}

function refusalOf(question: Question, calendar: Calendar, zones: Map<string, Zone>) {
  const { service, nowMs } = question
  const earliestMs = nowMs + service.min_notice_minutes * MINUTE_MS
  const latestMs = service.max_days_ahead === null ? Number.POSITIVE_INFINITY : nowMs + service.max_days_ahead * DAY_MS
  const beforeMs = service.buffer_before_minutes * MINUTE_MS
  const afterMs = service.buffer_after_minutes * MINUTE_MS
  const overlaps = overlapCheck(question.taken.get(calendar.specialist_id) ?? [])
  const zone = zones.get(calendar.time_zone) as Zone
  const perDay = countByDate(question.booked?.get(calendar.specialist_id) ?? [], zone)
  return ({ startsAtMs, endsAtMs, date }: Slot): Reason | undefined => {
    if (startsAtMs < earliestMs) return 'notice'
    if (startsAtMs > latestMs) return 'too_far_ahead'
    if (overlaps(startsAtMs - beforeMs, endsAtMs + afterMs)) return 'taken'
    if (service.max_per_day !== null && (perDay.get(date) ?? 0) >= service.max_per_day) return 'max_per_day'
    return undefined
  }
}

function countByDate(starts: readonly number[], zone: Zone): Map<string, number> {
  const counts = new Map<string, number>()
  for (const startMs of starts) {
    const date = dateOf(localOf(zone, startMs))
    counts.set(date, (counts.get(date) ?? 0) + 1)
  }
  return counts
}

/** Says whether [startMs, endMs) touches taken time; spans are merged once, then found by bisection. */
function overlapCheck(spans: readonly Span[]): (startMs: number, endMs: number) => boolean {
  const merged: [number, number][] = []
  for (const [startMs, endMs] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && startMs <= last[1]) last[1] = Math.max(last[1], endMs)
    else merged.push([startMs, endMs])
  }
  return (startMs, endMs) => {
    let low = 0
    let high = merged.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((merged[middle] as [number, number])[1] <= startMs) low = middle + 1
      else high = middle
    }
    const next = merged[low]
    return next !== undefined && next[0] < endMs
  }
}
