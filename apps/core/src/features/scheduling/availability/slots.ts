import { freeSlots, localOf, type Question, readZone, reasonAgainst, type Slot } from '@tendon/availability'
import {
  AVAILABILITY_WINDOW_DAYS,
  type AvailabilityQuery,
  type AvailableSlot,
  type UnavailableSlot,
} from '@tendon/contracts'
import { windowTooLong } from './errors.ts'
import type { AvailabilityFacts, FactsQuery } from './facts.ts'

const DAY_MS = 86_400_000
const LIMIT_DEFAULT = 20
const MINUTE_MS = 60_000

export function factsQuery(query: Omit<AvailabilityQuery, 'explain'>): FactsQuery {
  const [from, to] = [new Date(query.from), new Date(query.to)]
  const length = to.getTime() - from.getTime()
  if (length <= 0 || length > AVAILABILITY_WINDOW_DAYS * DAY_MS) throw windowTooLong()
  return {
    serviceId: query.service_id,
    specialistId: query.specialist_id ?? null,
    locationId: query.location_id ?? null,
    from,
    to,
  }
}

/** Staff may book at short notice and far ahead. */
export function questionOf(facts: AvailabilityFacts, { from, to }: FactsQuery, now: Date, forStaff: boolean): Question {
  const { service, calendars, closures, taken, booked } = facts
  return {
    nowMs: now.getTime(),
    fromMs: from.getTime(),
    toMs: to.getTime(),
    service: forStaff ? { ...service, min_notice_minutes: 0, max_days_ahead: null } : service,
    calendars,
    closures,
    taken: new Map(Object.entries(taken)),
    booked: new Map(Object.entries(booked)),
  }
}

/** The first free slots, and how many are free on each day: in the zone that was asked for, else in each calendar's. */
export function answerOf(question: Question, limit = LIMIT_DEFAULT, timeZone?: string) {
  const slots = freeSlots(question)
  const zone = timeZone === undefined ? undefined : readZone(timeZone, question.fromMs, question.toMs)
  const free = new Map<string, number>()
  for (const { startsAtMs, date } of slots) {
    const day = zone ? new Date(localOf(zone, startsAtMs)).toISOString().slice(0, 10) : date
    free.set(day, (free.get(day) ?? 0) + 1)
  }
  return {
    data: slots.slice(0, limit).map(slotRow),
    days: [...free].map(([date, count]) => ({ date, free: count })).sort((a, b) => (a.date < b.date ? -1 : 1)),
  }
}

const slotRow = ({ startsAtMs, endsAtMs, specialist_id, location_id }: Slot): AvailableSlot => ({
  starts_at: new Date(startsAtMs).toISOString(),
  ends_at: new Date(endsAtMs).toISOString(),
  specialist_id,
  location_id,
})

/** Times on the grid that are not free, each with its reason, at most `limit` of them. */
export function unavailableSlots(question: Question, limit = LIMIT_DEFAULT): UnavailableSlot[] {
  const stepMs = question.service.slot_interval_minutes * MINUTE_MS
  const found: UnavailableSlot[] = []
  for (let at = Math.ceil(question.fromMs / stepMs) * stepMs; at < question.toMs; at += stepMs) {
    for (const calendar of question.calendars) {
      const reason = reasonAgainst(question, calendar, at)
      if (!reason) continue
      found.push({ starts_at: new Date(at).toISOString(), specialist_id: calendar.specialist_id, reason })
      if (found.length === limit) return found
    }
  }
  return found
}
