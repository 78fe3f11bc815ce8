import type { Appointment, AppointmentMode, AppointmentStatus, CancelledSeries } from '@tendon/contracts'

type LeftReason = CancelledSeries['left'][number]['reason']

// The states of an appointment. DELETE makes `entered_in_error` of any of them; rescheduling cancels the old row.
const TRANSITIONS: Readonly<Record<AppointmentStatus, readonly AppointmentStatus[]>> = {
  waitlist: ['pending', 'confirmed', 'cancelled'],
  pending: ['confirmed', 'cancelled'],
  confirmed: ['checked_in', 'completed', 'no_show', 'cancelled'],
  checked_in: ['completed', 'cancelled'],
  completed: [],
  // For patients who arrive late.
  no_show: ['checked_in'],
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
  if (to === 'no_show' || to === 'completed') return starts_at !== null && Date.parse(starts_at) <= now.getTime()
  // A waitlist entry gets its time by booking; without one it cannot be confirmed.
  if (status === 'waitlist' && to !== 'cancelled') return starts_at !== null
  return true
}

/** What decides whether the status of an appointment can be changed. */
type Changeable = Pick<
  Appointment,
  'status' | 'starts_at' | 'previous_status' | 'status_set_at' | 'status_set_by' | 'rescheduled_to_id'
>

const UNDO_MS = 24 * 3_600_000

/**
 * How an appointment gets a status: by a transition, or because the last one is undone; else why not. Staff undo for 24 hours what
 * staff set, except a move and what was entered in error.
 */
export function changeTo(
  row: Changeable,
  to: AppointmentStatus,
  now: Date,
): 'transition' | 'undo' | 'invalid_transition' | 'undo_refused' | 'undo_expired' {
  if (canBecome(row, to, now)) return 'transition'
  if (to !== row.previous_status || to === row.status) return 'invalid_transition'
  if (row.status === 'entered_in_error' || row.rescheduled_to_id !== null) return 'undo_refused'
  if (row.status_set_by !== 'staff' || row.status_set_at === null) return 'undo_refused'
  return now.getTime() - Date.parse(row.status_set_at) <= UNDO_MS ? 'undo' : 'undo_expired'
}

/** What a change of the status does with the time of the appointment. */
export function timeWhenChanged(from: AppointmentStatus, to: AppointmentStatus): 'claim' | 'free' | 'keep' {
  const [kept, keeps] = [KEEPS_TIME.includes(from), KEEPS_TIME.includes(to)]
  if (kept === keeps) return 'keep'
  return keeps ? 'claim' : 'free'
}

const STATUS_FACTS = {
  confirmed: ['confirmed_at'],
  checked_in: ['checked_in_at'],
  completed: ['completed_at'],
  cancelled: ['cancelled_at', 'cancelled_by', 'cancellation_reason'],
} as const
type StatusFact = (typeof STATUS_FACTS)[keyof typeof STATUS_FACTS][number]

/** What was kept with a status is cleared when it is undone. */
export const clearedByUndo = (status: AppointmentStatus): Partial<Record<StatusFact, null>> =>
  Object.fromEntries(
    Object.entries(STATUS_FACTS)
      .flatMap(([of, names]) => (of === status ? names : []))
      .map((name) => [name, null]),
  )

const WALK_IN_MS = 12 * 3_600_000
const WALK_IN_EARLY_MS = 10 * 60_000

/** Whether somebody who came at this time can be added now, as arrived. A few minutes ahead: a time is often rounded up. */
export function isWalkInTime(startsAt: Date, now: Date): boolean {
  const passedMs = now.getTime() - startsAt.getTime()
  return passedMs <= WALK_IN_MS && passedMs >= -WALK_IN_EARLY_MS
}

/** Why a visit stays when the rest of its series is cancelled; undefined: it is cancelled. */
export function leftReason(
  { status, starts_at, ends_at }: Pick<Appointment, 'status' | 'starts_at' | 'ends_at'>,
  now: Date,
): LeftReason | undefined {
  if (status === 'checked_in') return 'has_begun'
  if (status === 'completed' || status === 'no_show') return 'is_over'
  if (status !== 'pending' && status !== 'confirmed') return undefined
  const hasPassed = (at: string | null) => at !== null && Date.parse(at) <= now.getTime()
  if (hasPassed(ends_at)) return 'is_over'
  return hasPassed(starts_at) ? 'has_begun' : undefined
}

interface GivenTime {
  starts_at?: string | undefined
  specialist_id?: string | undefined
}

/** What a waitlist entry still needs before it can be booked, by field; empty: nothing. */
export function missingForBooking(
  entry: { status: AppointmentStatus; starts_at: string | null; specialist_id: string | null },
  to: AppointmentStatus,
  given: GivenTime,
): Record<string, string> {
  if (entry.status !== 'waitlist' || (to !== 'pending' && to !== 'confirmed')) return {}
  return {
    ...(given.starts_at || entry.starts_at ? {} : { starts_at: 'is required to book a waitlist entry' }),
    ...(given.specialist_id || entry.specialist_id ? {} : { specialist_id: 'is required to book a waitlist entry' }),
  }
}

/** The windows of a waitlist entry that do not end after they start, by field; empty: none. */
export const windowProblems = (windows: readonly { from: string; to: string }[] = []): Record<string, string> =>
  Object.fromEntries(
    windows.flatMap(({ from, to }, index) =>
      Date.parse(to) > Date.parse(from) ? [] : [[`wanted.windows.${index}.to`, 'must be after from']],
    ),
  )

/** States in which patients and bookers can move or cancel it, if it is not too late. */
export const isChangeable = (status: AppointmentStatus): boolean => status === 'pending' || status === 'confirmed'

const MINUTE_MS = 60_000

/** When an appointment ends, by the length of its service. */
export const endOf = (startsAt: Date, durationMinutes: number): Date =>
  new Date(startsAt.getTime() + durationMinutes * MINUTE_MS)

/** The mode of an appointment that names none: in person where the service offers it, otherwise its first mode. */
export const usualMode = (modes: readonly AppointmentMode[]): AppointmentMode =>
  modes.includes('in_person') ? 'in_person' : (modes[0] ?? 'in_person')

/** The consents that an appointment of this mode needs and its patient has not given; without a patient, nobody has. */
export const missingConsents = (mode: AppointmentMode, hasTelemedicine: boolean): string[] =>
  mode === 'video' && !hasTelemedicine ? ['telemedicine'] : []

const JOIN_EARLY_MS = 15 * MINUTE_MS

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
  return startsAt !== null && now.getTime() <= Date.parse(startsAt) - noticeMinutes * MINUTE_MS
}

/** Who moves or cancels an appointment, as its row keeps it. */
export type Mover = 'staff' | 'patient' | 'booker'

/** Staff confirm by booking; what others book may wait for the clinic. */
export const statusWhenBooked = (
  source: 'staff' | 'patient' | 'public',
  requiresConfirmation: boolean,
): 'pending' | 'confirmed' => (requiresConfirmation && source !== 'staff' ? 'pending' : 'confirmed')

/** A new time that the patient or booker chose is confirmed by the clinic again, if the service asks for that. */
export const statusWhenMoved = (
  status: 'pending' | 'confirmed',
  by: Mover,
  requiresConfirmation: boolean,
): 'pending' | 'confirmed' => (by !== 'staff' && requiresConfirmation ? 'pending' : status)

/** `booked`: the others of the service and specialist on the day, with active holds. */
export const isDayFull = (booked: number, maxPerDay: number | null): boolean =>
  maxPerDay !== null && booked >= maxPerDay

/** Whether a hold is for moving this visit: of its service, and not taken for another visit. */
export const isHeldFor = (
  held: { service_id: string; moves_calendar_uid: string | null },
  visit: { service_id: string; calendar_uid: string },
): boolean =>
  held.service_id === visit.service_id &&
  (held.moves_calendar_uid === null || held.moves_calendar_uid === visit.calendar_uid)

/** A time that has passed is mostly a slip; staff who mean it say so. */
export const mayMoveTo = (startsAt: string, now: Date, allowPast: boolean): boolean =>
  allowPast || Date.parse(startsAt) >= now.getTime()

const TAKEN = ['slot_taken', 'patient_busy']

/** Whether a series that skips taken weeks leaves this week out. Every other refusal is one of the whole series. */
export const isWeekTaken = (code: string | undefined): boolean => code !== undefined && TAKEN.includes(code)

interface Place {
  location_id: string | null
  calendar_id: string | null
}

/**
 * Where a moved visit takes place, and in which calendar: where the hold is or where staff say; else where it was, unless
 * that place is closed now. A calendar belongs to its place.
 */
export function placeWhenMoved(
  from: Place & { is_location_open: boolean },
  held: Place | undefined,
  chosenLocationId: string | undefined,
): Place {
  const old: Place = from.is_location_open ? from : { location_id: null, calendar_id: null }
  const usual: Place = held
    ? { location_id: held.location_id ?? old.location_id, calendar_id: held.calendar_id }
    : { location_id: old.location_id, calendar_id: old.calendar_id }
  if (chosenLocationId === undefined || chosenLocationId === usual.location_id) return usual
  return { location_id: chosenLocationId, calendar_id: null }
}
