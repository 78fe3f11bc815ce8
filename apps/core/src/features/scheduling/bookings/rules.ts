import type { Appointment, AppointmentStatus } from '@tendon/contracts'

interface Cancelled {
  status: string
  cancelled_by: string | null
  cancellation_reason: string | null
  patient_profile_id: string | null
}

/**
 * The reason that a mail may quote: what the clinic wrote and the patient reads in the portal too (GET /v1/me/appointments). A
 * booker without an account cannot read it there, and a visit that was entered in error is not shown there.
 */
export const readableReason = (of: Cancelled): string | null =>
  of.status === 'cancelled' && of.cancelled_by === 'staff' && of.patient_profile_id !== null
    ? of.cancellation_reason
    : null

/** Where mail about an appointment can go. */
export interface Addresses {
  booker: Pick<NonNullable<Appointment['booker']>, 'email' | 'language'> | null
  has_patient: boolean
  /** A deleted patient is not, but learns of the visits that were cancelled before or with the record. */
  is_reachable: boolean
  record_email: string | null
  record_language: string | null
  /** Verified. */
  account_email: string | null
  account_language: string | null
  clinic_language: string
}

export interface Recipient {
  to_address: string
  language: string
}

/** The patient, by their account rather than by their record; the booker only while there is no patient. Undefined: nobody. */
export function recipientOf(of: Addresses): Recipient | undefined {
  const patient = of.is_reachable
    ? { email: of.account_email ?? of.record_email, language: of.account_language ?? of.record_language }
    : undefined
  const found = of.has_patient ? patient : of.booker
  return found?.email ? { to_address: found.email, language: found.language ?? of.clinic_language } : undefined
}

const ASKED: readonly AppointmentStatus[] = ['pending', 'confirmed', 'checked_in', 'completed']

/** Whether somebody with the address of a booking is asked if it is theirs: as my_unlinked_bookings lists them. */
export const isUnanswered = (booking: { status: AppointmentStatus; dismissed_by: string | null }): boolean =>
  ASKED.includes(booking.status) && booking.dismissed_by === null
