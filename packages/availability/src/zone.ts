import { Temporal } from 'temporal-polyfill'

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/** One stretch of time with a constant offset: local time is UTC plus the offset. The first and the last have no end. */
interface Stretch {
  fromMs: number
  untilMs: number
  offsetMs: number
}

/** The offsets of a time zone between two instants, read once, so that no slot asks the calendar again. */
export interface Zone {
  stretches: readonly Stretch[]
}

/** Local times up to two days outside the window are still converted: windows may cross midnight. */
const MARGIN_MS = 3 * DAY_MS

export function readZone(timeZone: string, fromMs: number, toMs: number): Zone {
  const startMs = fromMs - MARGIN_MS
  const endMs = toMs + MARGIN_MS
  let at = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(timeZone)
  let from = Number.NEGATIVE_INFINITY
  const stretches: Stretch[] = []
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    const isLast = !next || next.epochMilliseconds > endMs
    const untilMs = isLast ? Number.POSITIVE_INFINITY : next.epochMilliseconds
    stretches.push({ fromMs: from, untilMs, offsetMs: offsetOf(at) })
    if (isLast) return { stretches }
    from = untilMs
    at = next
  }
}

const offsetOf = (at: Temporal.ZonedDateTime) => at.offsetNanoseconds / 1_000_000

/**
 * The first instant at which clocks of the zone show this local time (given as if it were UTC), or undefined when they
 * never do, because the time is inside the gap of a spring change.
 */
export function instantOf(zone: Zone, localMs: number): number | undefined {
  for (const { fromMs, untilMs, offsetMs } of zone.stretches) {
    const instant = localMs - offsetMs
    if (instant < fromMs) return undefined
    if (instant < untilMs) return instant
  }
  return undefined
}

/** Like `instantOf`; a time inside a gap is the instant at which the gap begins. */
export function boundaryOf(zone: Zone, localMs: number): number {
  const exact = instantOf(zone, localMs)
  if (exact !== undefined) return exact
  const after = zone.stretches.find(({ fromMs, offsetMs }) => localMs - offsetMs < fromMs)
  return after?.fromMs ?? localMs
}

/** What clocks of the zone show at this instant, as if it were UTC. */
export function localOf(zone: Zone, instantMs: number): number {
  for (const { untilMs, offsetMs } of zone.stretches) if (instantMs < untilMs) return instantMs + offsetMs
  return instantMs
}

/** Midnight of the local day, as if it were UTC. */
export const dayOf = (localMs: number) => Math.floor(localMs / DAY_MS) * DAY_MS

/** `YYYY-MM-DD` of a local day. */
export const dateOf = (localMs: number) => new Date(localMs).toISOString().slice(0, 10)

/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (localMs: number) => new Date(localMs).getUTCDay() || 7

/** The local day around this instant, from its first instant to the first one of the next day. */
export function dayAround(timeZone: string, instantMs: number): { fromMs: number; toMs: number } {
  const zone = readZone(timeZone, instantMs, instantMs)
  const dayMs = dayOf(localOf(zone, instantMs))
  return { fromMs: boundaryOf(zone, dayMs), toMs: boundaryOf(zone, dayMs + DAY_MS) }
}
