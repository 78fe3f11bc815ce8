import { type Constraints, fieldRefusal, processingRestricted, refusal } from '@tendon/http'

export const patientNotFound = refusal(
  404,
  'patient_not_found',
  'Your clinic has no patient with this id. GET /v1/patients lists those it has.',
)
export const privacyNoticeUnpublished = refusal(
  409,
  'privacy_notice_unpublished',
  'Patients can be added only after the clinic has published its privacy notice. An admin of the clinic publishes it with POST /v1/organizations/{id}/privacy-notice/publish.',
)
const EXISTING = { patient_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17' }
export const emailExists = refusal(
  409,
  'patient_exists',
  'Another patient of your clinic has the same e-mail address. Open that record, or send "allow_duplicate": true if it is another person who shares it.',
  { field: 'email', ...EXISTING },
)
/** A number belongs to one person, so nothing overrides this. */
export const nationalIdExists = refusal(
  409,
  'patient_exists',
  'Another patient of your clinic has the same identification number. Open that record; if the number is mistyped, correct it and send the request again.',
  { field: 'national_id', ...EXISTING },
)
export const nationalIdTaken = refusal(
  409,
  'national_id_taken',
  'Another patient of your clinic has this identification number. Look for them in GET /v1/patients before you add a second record.',
)
export const restoreRefused = refusal(
  409,
  'restore_refused',
  'This record cannot be restored: the patient left the clinic, or asked for erasure. Onboard the person again with POST /v1/patients if they come back.',
)
export const hasFutureVisits = refusal(
  409,
  'has_future_visits',
  'This patient has future visits, listed in "visits". Move or cancel them first, or send cancel_visits=true to cancel them all.',
  { visits: [{ id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a18', starts_at: '2026-11-16T09:30:00.000Z' }] },
)
export const cancelVisitsIsBoolean = fieldRefusal('cancel_visits', 'must be true or false')
export const sameRecord = refusal(
  422,
  'validation_failed',
  'A record cannot be linked to itself. Send the id of another record in patient_id.',
  { fields: { patient_id: 'must be another record' } },
)
export const differentPeople = refusal(
  409,
  'different_people',
  'Different people have claimed these records, so they are not records of one person.',
)
export const beingErased = refusal(
  409,
  'being_erased',
  'One of the records is being erased. Cancel the erasure first, if it has not started (POST /v1/gdpr/requests/{id}/cancel).',
)
export const alreadyMerged = refusal(
  409,
  'already_merged',
  'One of the records is already linked. Link to the main record of its group, or undo that link first (DELETE /v1/patients/{id}/merged-into).',
)
export const notMerged = refusal(409, 'not_merged', 'This record is not linked to another one.')
export const emailMissing = refusal(
  409,
  'email_missing',
  'This patient has no e-mail address to invite. Add one first with PUT /v1/patients/{id}.',
)
export const alreadyClaimed = refusal(
  409,
  'already_claimed',
  'This patient has already signed in and needs no invitation.',
)
export const impersonatorMustBeHuman = refusal(
  403,
  'forbidden',
  'Only a person can impersonate a patient; a service account cannot.',
)

export const patientConstraints: Constraints = {
  patient_profiles_national_id_key: nationalIdTaken,
  patients_restricted_check: processingRestricted,
}
