import type { Appointment } from '@tendon/sdk'

export type VisitStatus = Appointment['status']
export type NextStatus = 'confirmed' | 'checked_in' | 'completed' | 'no_show' | 'cancelled'

const COLORS: Partial<Record<VisitStatus, string>> = {
  waitlist: 'orange',
  pending: 'orange',
  no_show: 'red',
  cancelled: 'gray',
  completed: 'blue',
  entered_in_error: 'gray',
}

/** The colour of the dot of a status badge. */
export const statusColor = (status: VisitStatus): string => COLORS[status] ?? 'tendon'

/** The next statuses to offer. The API decides; this list only hides buttons that it would refuse. */
const NEXT: Partial<Record<VisitStatus, readonly NextStatus[]>> = {
  waitlist: ['cancelled'],
  pending: ['confirmed', 'cancelled'],
  confirmed: ['checked_in', 'completed', 'no_show', 'cancelled'],
  checked_in: ['completed', 'cancelled'],
}

interface Moment {
  now: number
  /** The day of the visit is today or earlier, in the clinic's time zone. */
  dayHasCome: boolean
}

/** Nobody arrives days before a visit, and nobody misses one that has not begun. */
export function nextStatuses(
  { status, starts_at }: Pick<Appointment, 'status' | 'starts_at'>,
  { now, dayHasCome }: Moment,
): readonly NextStatus[] {
  const hasBegun = starts_at !== null && Date.parse(starts_at) <= now
  return (NEXT[status] ?? []).filter((next) => {
    if (next === 'checked_in') return dayHasCome
    if (next === 'no_show' || next === 'completed') return hasBegun
    return true
  })
}

export const isMovable = ({ status }: Pick<Appointment, 'status'>): boolean =>
  status === 'pending' || status === 'confirmed'
