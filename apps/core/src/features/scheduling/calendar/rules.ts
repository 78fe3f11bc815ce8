import { MAX_CALENDAR_DAYS, MAX_CALENDAR_VISITS } from '@tendon/contracts'

const DAY_MS = 86_400_000
/** The two hours by which clocks have been changed at most. */
const CHANGE_MS = 7_200_000

export const isEmpty = (from: Date, to: Date): boolean => to.getTime() <= from.getTime()

/** Longer than allowed in every time zone: known before the zone of the clinic is. */
export const isTooLongAnywhere = (from: Date, to: Date): boolean =>
  to.getTime() - from.getTime() > MAX_CALENDAR_DAYS * DAY_MS + CHANGE_MS

/** `localMs`: the length on the clocks of the clinic, so that a week with a change of clocks is still seven days. */
export const isTooLong = (localMs: number): boolean => localMs > MAX_CALENDAR_DAYS * DAY_MS

export const hasTooManyVisits = (count: number): boolean => count > MAX_CALENDAR_VISITS

interface Days {
  date: string
  date_to: string | null
}

/** Whether a closure is in the calendar of these days, and of this location. */
export const isShown = (
  closure: Days & { location_id: string | null },
  days: { first: string; last: string },
  locationId: string | null,
): boolean =>
  closure.date <= days.last &&
  (closure.date_to ?? closure.date) >= days.first &&
  (locationId === null || closure.location_id === null || closure.location_id === locationId)
