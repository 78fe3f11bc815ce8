import { freeSlots, takenOnDay } from '@tendon/availability'
import type { NewHold } from '@tendon/contracts'
import { type AvailabilityFacts, questionOf } from '../availability/index.ts'
import type { HoldRequest } from './queries.ts'

const MINUTE_MS = 60_000

/** The window that facts are read for: one slot. */
export const windowOf = ({ service_id, specialist_id, location_id, starts_at }: NewHold) => {
  const from = new Date(starts_at)
  return {
    serviceId: service_id,
    specialistId: specialist_id ?? null,
    locationId: location_id ?? null,
    from,
    to: new Date(from.getTime() + MINUTE_MS),
  }
}

/** Who could take the slot: those who are free then, the least booked that day first. */
export function candidatesOf(facts: AvailabilityFacts, wanted: NewHold, now: Date, forStaff: boolean): HoldRequest[] {
  if (!facts.service.modes.includes(wanted.mode)) return []
  const startsAt = new Date(wanted.starts_at)
  const question = questionOf(facts, windowOf(wanted), now, forStaff)
  return freeSlots(question)
    .filter(({ startsAtMs }) => startsAtMs === startsAt.getTime())
    .sort((a, b) => takenOnDay(question, a) - takenOnDay(question, b))
    .map(({ specialist_id, location_id, calendar_id }) => ({
      serviceId: wanted.service_id,
      specialistId: specialist_id,
      locationId: location_id,
      calendarId: calendar_id,
      mode: wanted.mode,
      startsAt,
    }))
}
