import { type Constraints, fieldRefusal, refusal, validationFailed } from '@tendon/http'

export function refuseFields(fields: Record<string, string>): void {
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
}

export const appointmentNotFound = refusal(
  404,
  'appointment_not_found',
  'There is no appointment with this id that you may see.',
)
export const invalidTransition = refusal(
  409,
  'invalid_transition',
  'An appointment that is {from} cannot become {to} now. Read it again, then choose a status that is possible.',
  { from: 'completed', to: 'confirmed', status: 'completed' },
)
export const undoRefused = refusal(
  409,
  'undo_refused',
  'This status cannot be undone: it was not set by staff, or the appointment was moved, entered in error, or its patient, specialist, service or location was deleted. Book a new appointment.',
)
export const undoExpired = refusal(
  409,
  'undo_expired',
  'This status was set more than 24 hours ago and cannot be undone. Book a new appointment.',
)
export const hasDocuments = refusal(
  409,
  'has_documents',
  'This appointment has a certificate of attendance or a review, which say that it took place. It stays completed.',
)
export const patientBusy = refusal(
  409,
  'patient_busy',
  'The patient has another appointment at this time. Choose another time, or allow the overlap.',
)
export const tooLate = refusal(403, 'too_late', 'It is too late to change this appointment online. Call the clinic.')
export const tooEarly = refusal(
  409,
  'too_early',
  'The meeting can be joined from 15 minutes before the start until the end.',
)
export const noMeetingLink = refusal(
  404,
  'no_meeting_link',
  'This appointment has no meeting link. Ask the clinic for one.',
)
export const telemedicineRequired = refusal(
  403,
  'consent_required',
  'Agree to telemedicine first: grant the consent telemedicine of this clinic.',
  { missing_purpose: 'telemedicine' },
)
export const notMovable = refusal(
  409,
  'invalid_transition',
  'Only a pending or confirmed appointment can be moved or cancelled. This one is {status}. To get another time, book a new one.',
  { status: 'cancelled' },
)
export const startsInPast = refusal(
  422,
  'starts_in_past',
  'This time has passed. Choose a future time, or send allow_past if the visit took place then.',
)
export const seriesNotFound = refusal(
  404,
  'series_not_found',
  'There is no series with this id that you may see. series_id of an appointment names its series.',
)
export const notWalkInTime = fieldRefusal(
  'starts_at',
  'must be at most 12 hours ago, or 10 minutes ahead, with status checked_in',
)
export const walkInAlone = fieldRefusal(
  'status',
  'can be checked_in only with starts_at, and without repeat and hold_id',
)
export const notOfHold = fieldRefusal('specialist_id', 'must be that of the hold')
export const alreadyReviewed = refusal(409, 'already_reviewed', 'You have already reviewed this appointment.')
export const notCompleted = refusal(409, 'not_completed', 'Only a completed appointment can be reviewed.')
export const holdOrTime = fieldRefusal('starts_at', 'give either hold_id or starts_at')
export const seriesNeedsTime = fieldRefusal('repeat', 'needs starts_at and specialist_id')
export const timeOnlyFromWaitlist = fieldRefusal('starts_at', 'is for waitlist entries; reschedule the appointment')
export const waitlistNeedsSpecialist = fieldRefusal('specialist_id', 'is required with starts_at')
export const unknownSpecialist = fieldRefusal('specialist_id', 'must name a specialist of your organization')
export const alreadyLinked = refusal(
  409,
  'already_linked',
  'This appointment already belongs to another patient. Delete it and create one for the right patient.',
)
export const unknownService = fieldRefusal('service_id', 'must name a service of your organization')
export const serviceDeleted = fieldRefusal('starts_at', 'cannot be given: the service of the entry was deleted')
export const unknownLocation = fieldRefusal('location_id', 'must name a location of your organization')
export const unknownPatient = fieldRefusal('patient_id', 'must name a patient of your organization')

export const appointmentConstraints: Constraints = {
  appointments_patient_excl: patientBusy,
  appointments_service_fkey: unknownService,
  appointments_specialist_fkey: unknownSpecialist,
  appointments_location_fkey: unknownLocation,
  appointments_patient_fkey: unknownPatient,
  // The profile id comes from the patient record, so a missing profile means an unknown patient.
  appointments_patient_check: unknownPatient,
  appointment_reviews_appointment_key: alreadyReviewed,
}
