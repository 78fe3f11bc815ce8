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
