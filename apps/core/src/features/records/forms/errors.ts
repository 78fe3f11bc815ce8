import { type Constraints, refusal } from '@tendon/http'

export const formNotFound = refusal(
  404,
  'form_not_found',
  'There is no form with this id, or you do not have access to it. GET /v1/forms lists the forms you can see.',
)
export const formAlreadySigned = refusal(
  409,
  'form_already_signed',
  'This form is signed and cannot be changed. To correct it, create a new form with its id as amends_form_id.',
)
export const formNotCompleted = refusal(
  400,
  'form_not_completed',
  'Only a completed form can be signed. Answer the required fields first.',
)
export const staleForm = refusal(
  409,
  'stale_version',
  'The form was changed after you read it, at {completed_at}. Read it again, then sign the current version.',
  { completed_at: '2026-11-15T09:30:00.000Z' },
)
export const patientSigns = refusal(
  403,
  'patient_signs',
  'The patient signs this form, in the portal. Ask the patient to sign it.',
)
export const signerMustBeHuman = refusal(403, 'forbidden', 'Only a person can sign a form; a service account cannot.')

export const formConstraints: Constraints = {
  forms_signed_check: formAlreadySigned,
}
