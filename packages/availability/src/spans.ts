import { boundaryOf, DAY_MS, dateOf, dayOf, localOf, readZone } from './zone.ts'

/** From an instant until before another one, in milliseconds. */
export interface Span {
  fromMs: number
  toMs: number
}

/** Ascending; spans that overlap or touch become one, empty ones are left out. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (toMs <= fromMs) continue
    const last = merged.at(-1)
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else merged.push({ fromMs, toMs })
  }
  return merged
}

/** A local day, or the part of it that was asked for. */
export interface LocalDay extends Span {
  /** `YYYY-MM-DD` */
  date: string
}

/** The local days of a zone that make up [fromMs, toMs): the first and the last may be parts of a day. */
export function daysBetween(timeZone: string, fromMs: number, toMs: number): LocalDay[] {
  const zone = readZone(timeZone, fromMs, toMs)
  const days: LocalDay[] = []
  for (let dayMs = dayOf(localOf(zone, fromMs)); ; dayMs += DAY_MS) {
    const startMs = Math.max(boundaryOf(zone, dayMs), fromMs)
    const endMs = Math.min(boundaryOf(zone, dayMs + DAY_MS), toMs)
    if (startMs >= toMs) return days
    if (endMs > startMs) days.push({ date: dateOf(dayMs), fromMs: startMs, toMs: endMs })
  }
}

/** How long [fromMs, toMs) is on the clocks of a zone: a day with 23 or 25 hours counts as one day. */
export function localLength(timeZone: string, fromMs: number, toMs: number): number {
  const zone = readZone(timeZone, fromMs, toMs)
  return localOf(zone, toMs) - localOf(zone, fromMs)
}
