import { type Constraints, refusal } from '@tendon/http'

export const patientConditionNotFound = refusal(
  404,
  'patient_condition_not_found',
  'This patient has no such condition. GET /v1/patients/{id}/conditions lists those they have.',
)
export const conditionExists = refusal(
  409,
  'condition_exists',
  'This patient has that condition already. Change its entry instead (PATCH /v1/patients/{id}/conditions/{conditionId}).',
)
const conditionGone = refusal(
  422,
  'validation_failed',
  'The condition in "condition_id" does not exist. GET /v1/exercise-conditions lists those there are.',
)

export const patientConditionConstraints: Constraints = {
  patient_conditions_condition_key: conditionExists,
  patient_conditions_condition_fkey: conditionGone,
}
