import type { AppointmentStatus } from '@tendon/contracts'
import type { AppointmentMail } from './appointment-mail.ts'

type Cancelled = Pick<AppointmentMail, 'status' | 'cancelled_by' | 'cancellation_reason' | 'patient_profile_id'>

/**
 * The reason that a mail may quote: what the clinic wrote and the patient reads in the portal too (GET /v1/me/appointments). A
 * booker without an account cannot read it there, and a visit that was entered in error is not shown there.
 */
export const readableReason = (of: Cancelled): string | null =>
  of.status === 'cancelled' && of.cancelled_by === 'staff' && of.patient_profile_id !== null
    ? of.cancellation_reason
    : null

const ASKED: readonly AppointmentStatus[] = ['pending', 'confirmed', 'checked_in', 'completed']

/** Whether somebody with the address of a booking is asked if it is theirs: as my_unlinked_bookings lists them. */
export const isUnanswered = (booking: { status: AppointmentStatus; dismissed_by: string | null }): boolean =>
  ASKED.includes(booking.status) && booking.dismissed_by === null
