import type { Appointment, DocumentKind } from '@tendon/contracts'

export type AppointmentKind = Extract<DocumentKind, 'appointment_letter' | 'attendance_certificate'>

/** Why an appointment cannot be printed; undefined: it can. */
export function obstacleTo(
  kind: AppointmentKind,
  { status, starts_at }: Pick<Appointment, 'status' | 'starts_at'>,
  now: Date,
): 'no_time' | 'cancelled' | 'not_attended' | 'not_started' | undefined {
  if (starts_at === null || status === 'entered_in_error') return 'no_time'
  if (kind === 'appointment_letter') return status === 'cancelled' ? 'cancelled' : undefined
  if (status !== 'checked_in' && status !== 'completed') return 'not_attended'
  return Date.parse(starts_at) > now.getTime() ? 'not_started' : undefined
}

/** Under the name of a specialist: "Physiotherapist, registration no. B 12345". Empty when neither is known. */
export const specialistCaption = (
  of: { title: string | null; registration_number: string | null } | undefined,
  words: { registration: string },
): string =>
  [of?.title ?? '', of?.registration_number ? `${words.registration} ${of.registration_number}` : '']
    .filter(Boolean)
    .join(', ')
