import { firstFree, firstUnavailable, type Question, type Slot } from '@tendon/availability'
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
  const { slots, days } = firstFree(question, limit, timeZone)
  return { data: slots.map(slotRow), days }
}

const slotRow = ({ startsAtMs, endsAtMs, specialist_id, location_id }: Slot): AvailableSlot => ({
  starts_at: new Date(startsAtMs).toISOString(),
  ends_at: new Date(endsAtMs).toISOString(),
  specialist_id,
  location_id,
})

/** Times on the grid that are not free, each with its reason, at most `limit` of them. */
export const unavailableSlots = (question: Question, limit = LIMIT_DEFAULT): UnavailableSlot[] =>
  firstUnavailable(question, limit).map(({ startsAtMs, specialist_id, reason }) => ({
    starts_at: new Date(startsAtMs).toISOString(),
    specialist_id,
    reason,
  }))
