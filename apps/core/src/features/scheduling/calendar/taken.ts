import { type LocalDay, mergeSpans, type Span } from '@tendon/availability'
import type { CalendarTaken } from '@tendon/contracts'

interface TakenTime extends Span {
  specialist_id: string | null
}

interface TakenDay extends Pick<CalendarTaken, 'specialist_id' | 'day' | 'visits'> {
  spans: Span[]
}

/**
 * How many visits each specialist has on each day, and the time that they take. A visit over midnight is counted once, on
 * its first day in the period; its time is on both days.
 */
export function takenByDay(visits: readonly TakenTime[], days: readonly LocalDay[]): TakenDay[] {
  const bySpecialist = Map.groupBy(visits, ({ specialist_id }) => specialist_id)
  return [...bySpecialist].flatMap(([specialist_id, times]) => {
    const isCounted = new Set<TakenTime>()
    return days.flatMap((day) => {
      const ofDay = times.filter((time) => time.fromMs < day.toMs && time.toMs > day.fromMs)
      const first = ofDay.filter((time) => !isCounted.has(time))
      for (const time of first) isCounted.add(time)
      if (ofDay.length === 0) return []
      const spans = mergeSpans(ofDay.map((time) => within(time, day)))
      return [{ specialist_id, day: day.date, visits: first.length, spans }]
    })
  })
}

const within = (time: Span, day: Span): Span => ({
  fromMs: Math.max(time.fromMs, day.fromMs),
  toMs: Math.min(time.toMs, day.toMs),
})
