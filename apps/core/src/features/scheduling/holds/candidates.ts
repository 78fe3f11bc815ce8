import { dayAround, freeSlots, type Question, type Reason, reasonAgainst, takenOnDay } from '@tendon/availability'
import type { NewHold } from '@tendon/contracts'
import { type AvailabilityFacts, questionOf } from '../availability/index.ts'
import type { HoldRequest } from './queries.ts'

const MINUTE_MS = 60_000

type Wanted = Omit<NewHold, 'minutes' | 'over_limit'> & { moves_calendar_uid?: string | undefined }

/** The window that facts are read for: one slot. */
export const windowOf = ({ service_id, specialist_id, location_id, starts_at }: Wanted) => {
  const from = new Date(starts_at)
  return {
    serviceId: service_id,
    specialistId: specialist_id ?? null,
    locationId: location_id ?? null,
    from,
    to: new Date(from.getTime() + MINUTE_MS),
  }
}

export interface Asked {
  forStaff: boolean
  /** Staff may pass the limit of a day. */
  overLimit?: boolean
}

/** Who could take the slot: those who are free then, the least booked that day first; else why nobody is. */
export function candidatesOf(
  facts: AvailabilityFacts,
  wanted: Wanted,
  now: Date,
  { forStaff, overLimit = false }: Asked,
): HoldRequest[] | 'taken' | 'day_full' | 'unavailable' {
  if (!facts.service.modes.includes(wanted.mode)) return 'unavailable'
  const startsAt = new Date(wanted.starts_at)
  const { moves_calendar_uid: moves = null } = wanted
  // Whether a day is full without the visit that is moved is decided when the hold is taken.
  const service = overLimit || moves !== null ? { ...facts.service, max_per_day: null } : facts.service
  const question = questionOf({ ...facts, service }, windowOf(wanted), now, forStaff)
  const free = freeSlots(question).filter(({ startsAtMs }) => startsAtMs === startsAt.getTime())
  if (free.length === 0) return whyNobody(question, facts.busy, startsAt.getTime())
  const zones = new Map(facts.calendars.map(({ id, time_zone }) => [id, time_zone]))
  return free
    .sort((a, b) => takenOnDay(question, a) - takenOnDay(question, b))
    .map(({ specialist_id, location_id, calendar_id }) => {
      const { fromMs, toMs } = dayAround(zones.get(calendar_id) ?? 'UTC', startsAt.getTime())
      return {
        serviceId: wanted.service_id,
        specialistId: specialist_id,
        locationId: location_id,
        calendarId: calendar_id,
        mode: wanted.mode,
        startsAt,
        day: { from: new Date(fromMs), to: new Date(toMs) },
        maxPerDay: overLimit ? null : facts.service.max_per_day,
        moves,
      }
    })
}

/**
 * A time that somebody else took since it was listed is "taken", whether that was a moment or a minute ago. One that a
 * connected calendar keeps is not offered.
 */
function whyNobody(
  question: Question,
  busy: AvailabilityFacts['busy'],
  startsAtMs: number,
): 'taken' | 'day_full' | 'unavailable' {
  const withoutClaims = { ...question, taken: new Map(Object.entries(busy)) }
  const reasons = new Set<Reason | undefined>(
    question.calendars
      .filter((calendar) => reasonAgainst(withoutClaims, calendar, startsAtMs) !== 'taken')
      .map((calendar) => reasonAgainst(question, calendar, startsAtMs)),
  )
  if (reasons.has('taken')) return 'taken'
  return reasons.has('max_per_day') ? 'day_full' : 'unavailable'
}
