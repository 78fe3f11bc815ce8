import type { AppointmentStatus } from '@tendon/contracts'

export interface Erasable {
  id: string
  status: AppointmentStatus
  starts_at: string | null
}

const TOOK_PLACE: readonly AppointmentStatus[] = ['checked_in', 'completed', 'no_show']

/** Whether an erasure deletes the appointment. Past ones are part of the medical record. */
export const isStillToCome = ({ status, starts_at }: Erasable, now: Date): boolean =>
  status === 'waitlist' || starts_at === null || (!TOOK_PLACE.includes(status) && Date.parse(starts_at) > now.getTime())

export interface Deletable {
  id: string
  status: AppointmentStatus
  has_signed_form: boolean
  is_reviewed: boolean
}

const BEFORE_START: readonly AppointmentStatus[] = ['waitlist', 'pending', 'confirmed']

/**
 * What becomes of appointments that are erased, as ids. Waitlist entries have no time and are deleted at once; the others are
 * cancelled before they are deleted. A row that a signed form or a review names stays: the form is sealed with it.
 */
export function planDeletion(rows: readonly Deletable[]) {
  const mayGo = rows.filter((row) => !row.has_signed_form && !row.is_reviewed)
  const waiting = mayGo.filter(({ status }) => status === 'waitlist')
  const others = rows.filter((row) => !waiting.includes(row))
  const idsOf = (of: readonly Deletable[]) => of.map(({ id }) => id)
  return {
    waiting: idsOf(waiting),
    cancelled: idsOf(others.filter(({ status }) => BEFORE_START.includes(status))),
    deleted: idsOf(mayGo.filter((row) => !waiting.includes(row))),
  }
}
