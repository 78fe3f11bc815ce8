import type { Calendar, Closure, Override, Window } from './types.ts'
import { boundaryOf, DAY_MS, dateOf, dayOf, localOf, MINUTE_MS, weekdayOf, type Zone } from './zone.ts'

/** Working time as instants, with the local times that the grid needs. */
interface OpenWindow {
  startMs: number
  endMs: number
  localStartMs: number
  localEndMs: number
}

type ClosedBy = 'override' | 'closure'

export interface Day {
  /** Midnight of the local day, as if it were UTC. */
  dayMs: number
  windows: readonly Window[]
  closedBy?: ClosedBy
  /** What replaces the weekly hours. */
  by?: Override | Closure
}

/** Minutes after midnight of `HH:MM`; `24:00` is 1440. */
export const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Whether the days of an override or a closure include this one. */
export const includes = ({ date, date_to }: { date: string; date_to?: string | null }, day: string) =>
  date <= day && day <= (date_to ?? date)

/** The override that holds on this day for this service; null: for all services. */
function overrideOf(overrides: readonly Override[], day: string, serviceId: string | null): Override | undefined {
  const ofDay = overrides.filter((override) => includes(override, day))
  return ofDay.findLast(({ service_id }) => service_id === serviceId) ?? ofDay.findLast(({ service_id }) => !service_id)
}

/** The hours of one local day, after closures and overrides. Without a service, overrides for one service do not count. */
export function dayHours(
  calendar: Calendar,
  closures: readonly Closure[],
  serviceId: string | null,
  dayMs: number,
): Day {
  const weekday = weekdayOf(dayMs)
  const weekly = () => ({ dayMs, windows: calendar.weekly_hours.filter((window) => window.weekday === weekday) })
  if (closures.length === 0 && calendar.overrides.length === 0) return weekly()
  const day = dateOf(dayMs)
  const closed = closures.find(
    (closure) => includes(closure, day) && (!closure.location_id || closure.location_id === calendar.location_id),
  )
  if (closed) return { dayMs, windows: [], closedBy: 'closure', by: closed }
  const override = overrideOf(calendar.overrides, day, serviceId)
  if (override) return { dayMs, windows: override.windows, closedBy: 'override', by: override }
  return weekly()
}

/** Local days whose windows can contain slots that start in [fromMs, toMs): the day before may cross midnight. */
export function* localDays(zone: Zone, fromMs: number, toMs: number): Generator<number> {
  const first = dayOf(localOf(zone, fromMs)) - DAY_MS
  const last = dayOf(localOf(zone, toMs - 1))
  for (let dayMs = first; dayMs <= last; dayMs += DAY_MS) yield dayMs
}

export function openWindow(zone: Zone, dayMs: number, { start, end }: Window): OpenWindow {
  const startMinutes = minutesOf(start)
  const endMinutes = minutesOf(end)
  const localStartMs = dayMs + startMinutes * MINUTE_MS
  const localEndMs = dayMs + (endMinutes <= startMinutes ? endMinutes * MINUTE_MS + DAY_MS : endMinutes * MINUTE_MS)
  return { startMs: boundaryOf(zone, localStartMs), endMs: boundaryOf(zone, localEndMs), localStartMs, localEndMs }
}
