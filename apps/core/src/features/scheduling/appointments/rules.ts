import type { AppointmentMode, AppointmentStatus } from '@tendon/contracts'

// The states of an appointment. DELETE makes `entered_in_error` of any of them; rescheduling cancels the old row.
const TRANSITIONS: Readonly<Record<AppointmentStatus, readonly AppointmentStatus[]>> = {
  waitlist: ['pending', 'confirmed', 'cancelled'],
  pending: ['confirmed', 'cancelled'],
  confirmed: ['checked_in', 'completed', 'no_show', 'cancelled'],
  checked_in: ['completed', 'cancelled'],
  completed: [],
  no_show: [],
  cancelled: [],
  entered_in_error: [],
}

/** States in which the appointment keeps its time. */
export const KEEPS_TIME: readonly AppointmentStatus[] = ['pending', 'confirmed', 'checked_in', 'completed']

export function canBecome(
  { status, starts_at }: { status: AppointmentStatus; starts_at: string | null },
  to: AppointmentStatus,
  now: Date,
): boolean {
  if (!TRANSITIONS[status].includes(to)) return false
  if (to === 'no_show') return starts_at !== null && Date.parse(starts_at) <= now.getTime()
  // A waitlist entry gets its time by booking; without one it cannot be confirmed.
  if (status === 'waitlist' && to !== 'cancelled') return starts_at !== null
  return true
}

/** States in which patients and bookers can move or cancel it, if it is not too late. */
export const isChangeable = (status: AppointmentStatus): boolean => status === 'pending' || status === 'confirmed'

/** The mode of an appointment that names none: in person where the service offers it, otherwise its first mode. */
export const usualMode = (modes: readonly AppointmentMode[]): AppointmentMode =>
  modes.includes('in_person') ? 'in_person' : (modes[0] ?? 'in_person')

const JOIN_EARLY_MS = 15 * 60_000

/** A meeting can be joined from 15 minutes before the start until the end. */
export function canJoin(
  { starts_at, ends_at }: { starts_at: string | null; ends_at: string | null },
  now: Date,
): boolean {
  if (!starts_at || !ends_at) return false
  return now.getTime() >= Date.parse(starts_at) - JOIN_EARLY_MS && now.getTime() <= Date.parse(ends_at)
}

/** Whether there are at least `notice` minutes until the start. */
export function isInTime(startsAt: string | null, noticeMinutes: number, now: Date): boolean {
  return startsAt !== null && now.getTime() <= Date.parse(startsAt) - noticeMinutes * 60_000
}
