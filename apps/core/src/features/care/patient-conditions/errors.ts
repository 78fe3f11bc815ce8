import { type Constraints, refusal } from '@tendon/http'

export const patientConditionNotFound = refusal(
  404,
  'patient_condition_not_found',
  'This patient does not have this condition. GET /v1/patients/{id}/conditions lists their conditions.',
)
export const conditionExists = refusal(
  409,
  'condition_exists',
  'This patient already has this condition. Update the existing entry instead (PATCH /v1/patients/{id}/conditions/{conditionId}).',
)
const conditionGone = refusal(
  422,
  'validation_failed',
  'The condition in "condition_id" does not exist. GET /v1/exercise-conditions lists the conditions.',
)

export const patientConditionConstraints: Constraints = {
  patient_conditions_condition_key: conditionExists,
  patient_conditions_condition_fkey: conditionGone,
}
