import { mergeSpans, type Span } from './spans.ts'
import type { Calendar, Closure } from './types.ts'
import { dayHours, localDays, openWindow } from './windows.ts'
import { readZone, type Zone } from './zone.ts'

interface HoursQuestion {
  /** Working time inside [fromMs, toMs). */
  fromMs: number
  toMs: number
  calendars: readonly Calendar[]
  closures: readonly Closure[]
}

/**
 * The working time of each specialist after overrides and closures, of all their calendars together. What holds for one
 * service only does not count.
 */
export function workingHours({ fromMs, toMs, calendars, closures }: HoursQuestion): Map<string, Span[]> {
  const zones = new Map<string, Zone>()
  const spans = new Map<string, Span[]>()
  for (const calendar of calendars) {
    const { time_zone, specialist_id } = calendar
    const zone = zones.get(time_zone) ?? readZone(time_zone, fromMs, toMs)
    zones.set(time_zone, zone)
    const found = spans.get(specialist_id) ?? []
    spans.set(specialist_id, found)
    for (const dayMs of localDays(zone, fromMs, toMs)) {
      for (const window of dayHours(calendar, closures, null, dayMs).windows) {
        const { startMs, endMs } = openWindow(zone, dayMs, window)
        found.push({ fromMs: Math.max(startMs, fromMs), toMs: Math.min(endMs, toMs) })
      }
    }
  }
  return new Map([...spans].map(([specialistId, found]) => [specialistId, mergeSpans(found)]))
}
