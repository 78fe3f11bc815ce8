import { type Constraints, refusal } from '@tendon/http'

export const contraindicationNotFound = refusal(
  404,
  'contraindication_not_found',
  'This exercise has no contraindication with this id. GET /v1/exercises/{id}/contraindications lists those it has.',
)
export const contraindicationExists = refusal(
  409,
  'contraindication_exists',
  'This exercise already has a contraindication for that condition. Delete it first to change it.',
)
const conditionGone = refusal(
  422,
  'validation_failed',
  'The condition in "condition_id" no longer exists. Read the taxonomy again, then retry.',
)

const stagesAndClearance = refusal(
  422,
  'validation_failed',
  'A contraindication holds for "stages" or until the patient is cleared ("until_cleared_for"). Send one of the two.',
)

export const contraindicationConstraints: Constraints = {
  exercise_contraindications_condition_key: contraindicationExists,
  exercise_contraindications_condition_fkey: conditionGone,
  exercise_contraindications_stages_check: stagesAndClearance,
}
