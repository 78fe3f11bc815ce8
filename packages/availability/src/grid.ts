import type { Calendar, Question, Reason } from './types.ts'
import { dayHours, localDays, openWindow } from './windows.ts'
import { DAY_MS, dayOf, instantOf, MINUTE_MS, type Zone } from './zone.ts'

/** Starts on the grid inside working hours, whether free or not, ascending. */
export function gridStarts({ fromMs, toMs, service, closures }: Question, calendar: Calendar, zone: Zone): number[] {
  const intervalMs = service.slot_interval_minutes * MINUTE_MS
  const durationMs = service.duration_minutes * MINUTE_MS
  const starts: number[] = []
  let isAscending = true
  for (const dayMs of localDays(zone, fromMs, toMs)) {
    for (const window of dayHours(calendar, closures, service.id, dayMs).windows) {
      const { startMs, endMs, localStartMs, localEndMs } = openWindow(zone, dayMs, window)
      const lastMs = Math.min(endMs - durationMs, toMs - 1)
      const firstMs = Math.max(startMs, fromMs)
      eachGridTime(localStartMs, localEndMs, intervalMs, (localMs) => {
        const instant = instantOf(zone, localMs)
        if (instant === undefined || instant < firstMs || instant > lastMs) return
        isAscending &&= starts.length === 0 || (starts[starts.length - 1] as number) < instant
        starts.push(instant)
      })
    }
  }
  // Windows may be in any order, touch each other, or overlap.
  return isAscending ? starts : [...new Set(starts)].sort((a, b) => a - b)
}

/** Times of the grid outside working hours, with the reason. */
export function unofferedStarts(
  question: Question,
  calendar: Calendar,
  zone: Zone,
): { startsAtMs: number; reason: Reason }[] {
  const { fromMs, toMs, service, closures } = question
  const offered = new Set(gridStarts(question, calendar, zone))
  const found: { startsAtMs: number; reason: Reason }[] = []
  for (const dayMs of localDays(zone, fromMs, toMs)) {
    const reason = dayHours(calendar, closures, service.id, dayMs).closedBy ?? 'outside_hours'
    eachGridTime(dayMs, dayMs + DAY_MS, service.slot_interval_minutes * MINUTE_MS, (localMs) => {
      const startsAtMs = instantOf(zone, localMs)
      if (startsAtMs === undefined || startsAtMs < fromMs || startsAtMs >= toMs || offered.has(startsAtMs)) return
      found.push({ startsAtMs, reason })
    })
  }
  return found
}

/** Local times whose minutes after their own midnight are divisible by the interval. */
function eachGridTime(startMs: number, endMs: number, intervalMs: number, visit: (localMs: number) => void): void {
  for (let dayMs = dayOf(startMs); dayMs < endMs; dayMs += DAY_MS) {
    const first = Math.max(0, Math.ceil((startMs - dayMs) / intervalMs)) * intervalMs
    const until = Math.min(DAY_MS, endMs - dayMs)
    for (let offset = first; offset < until; offset += intervalMs) visit(dayMs + offset)
  }
}
