import { refusal } from '@tendon/http'

export const documentNotFound = refusal(
  404,
  'document_not_found',
  'There is no document with this id that you may see. GET /v1/appointment-documents lists the documents you may see.',
)
export const contentChanged = refusal(
  409,
  'content_changed',
  'The content of the document was changed while it was rendered. Send the request again.',
)
export const formNotCompleted = refusal(
  409,
  'form_not_completed',
  'Only a completed form can be printed. Answer the required fields first.',
)
export const appointmentNotAttended = refusal(
  409,
  'appointment_not_attended',
  'A certificate of attendance needs an appointment that is checked in or completed. This one is {status}.',
  { status: 'confirmed' },
)
export const appointmentNotStarted = refusal(
  409,
  'appointment_not_started',
  'This appointment has not started yet. Create the certificate of attendance after its start.',
)
export const appointmentCancelled = refusal(
  409,
  'appointment_cancelled',
  'This appointment is cancelled. A letter can be created only for an appointment that takes place.',
)
export const appointmentWithoutTime = refusal(
  409,
  'appointment_without_time',
  'This appointment has no time, or was entered in error. Only an appointment with a time can be printed.',
)
export const treatmentPlanIsDraft = refusal(
  409,
  'treatment_plan_is_draft',
  'A draft cannot be printed, because the patient would see it. Activate the treatment plan first.',
)
export const wrongTemplateKind = refusal(
  422,
  'wrong_template_kind',
  'This template is for documents of kind {actual}, not {expected}. Choose another one.',
  { actual: 'form', expected: 'treatment_plan' },
)
