import { type Constraints, organizationNotFound, refusal } from '@tendon/http'

export { organizationNotFound } from '@tendon/http'

export const breakGlassNotFound = refusal(
  404,
  'break_glass_not_found',
  'There is no active break-glass access with this id: it does not exist, or it has ended. GET /v1/admin/break-glass?status=active lists the active ones.',
)
/** One answer for a patient who does not exist and one of another clinic. */
export const patientNotFound = refusal(
  404,
  'patient_not_found',
  'The clinic has no patient with this id. Ask the clinic for the id, or omit it to access the whole clinic.',
)

export const breakGlassConstraints: Constraints = {
  break_glass_grants_organization_id_fkey: organizationNotFound,
  break_glass_grants_patient_fkey: patientNotFound,
}
