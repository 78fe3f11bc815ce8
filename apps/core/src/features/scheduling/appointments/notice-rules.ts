import type { AppointmentStatus, ToldVisit } from '@tendon/contracts'

// The patient gets a mail about what staff changed only after a while, and only about the difference between what they were last
// told and what is so by then.

const WAIT_MS = 60_000
const SOON_MS = 2 * 3_600_000

/** When the mail about a change is due, and before which start of the visit it is due at once. */
export const noticeTimes = (now: Date): { later: Date; soon: Date } => ({
  later: new Date(now.getTime() + WAIT_MS),
  soon: new Date(now.getTime() + SOON_MS),
})

type KnownStatus = 'none' | 'pending' | 'confirmed'

/** What a status says to the patient. Whether somebody came is no news to them. */
function knownStatus(status: AppointmentStatus): KnownStatus {
  if (status === 'waitlist' || status === 'cancelled' || status === 'entered_in_error') return 'none'
  return status === 'pending' ? 'pending' : 'confirmed'
}

/** Whether the patient came without an appointment: no mail confirms such a visit or cancels it. */
export const isWalkIn = (visit: { status: AppointmentStatus; confirmed_at: string | null }): boolean =>
  visit.status === 'checked_in' && visit.confirmed_at === null

const timeOf = (at: string | null) => (at === null ? null : Date.parse(at))
const DETAILS = ['service_id', 'specialist_id', 'location_id', 'mode'] as const

const isTimeSame = (told: ToldVisit, now: ToldVisit): boolean =>
  timeOf(told.starts_at) === timeOf(now.starts_at) && timeOf(told.ends_at) === timeOf(now.ends_at)

/** Whether a patient who knows the first knows the second: there is nothing to mail. */
export function isKnown(told: ToldVisit | null, now: ToldVisit): boolean {
  const [before, after] = [told === null ? 'none' : knownStatus(told.status), knownStatus(now.status)]
  if (before !== after) return false
  if (told === null || after === 'none') return true
  return isTimeSame(told, now) && DETAILS.every((name) => told[name] === now[name])
}

export type Notice = 'booked' | 'moved' | 'changed' | 'status' | 'cancelled'

/** What the mail is about; undefined: none is sent. There is none about a visit that has begun. */
export function noticeOf(told: ToldVisit | null, visit: ToldVisit, now: Date): Notice | undefined {
  if (isKnown(told, visit)) return undefined
  const isToCome = (at: string | null) => at !== null && Date.parse(at) > now.getTime()
  if (knownStatus(visit.status) === 'none') return told && isToCome(told.starts_at) ? 'cancelled' : undefined
  if (!isToCome(visit.starts_at)) return undefined
  if (told === null || knownStatus(told.status) === 'none') return 'booked'
  if (timeOf(told.starts_at) !== timeOf(visit.starts_at)) return 'moved'
  return knownStatus(told.status) === knownStatus(visit.status) ? 'changed' : 'status'
}
