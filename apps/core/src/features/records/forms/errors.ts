import { type Constraints, refusal } from '@tendon/http'

export const formNotFound = refusal(
  404,
  'form_not_found',
  'There is no form with this id that you may see. GET /v1/forms lists those you may.',
)
export const formAlreadySigned = refusal(
  409,
  'form_already_signed',
  'This form is signed and cannot change any more. To correct it, make a new form with its id as amends_form_id.',
)
export const formNotCompleted = refusal(
  400,
  'form_not_completed',
  'Only a completed form can be signed. Fill in what is required first.',
)
export const staleForm = refusal(
  409,
  'stale_version',
  'The form was saved again after you read it, at {completed_at}. Read it once more, then sign what stands in it now.',
  { completed_at: '2026-11-15T09:30:00.000Z' },
)
export const signerMustBeHuman = refusal(403, 'forbidden', 'Only a person can sign a form; a service account cannot.')

export const formConstraints: Constraints = {
  forms_signed_check: formAlreadySigned,
}
