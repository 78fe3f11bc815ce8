import { type Constraints, refusal } from '@tendon/http'

export const prerequisiteCycle = refusal(
  409,
  'prerequisite_cycle',
  'An exercise cannot come before itself, directly or by way of others: what you name needs this exercise first. Remove that prerequisite, or choose another.',
)
export const prerequisiteExists = refusal(
  409,
  'prerequisite_exists',
  'This exercise has that prerequisite already. Remove it first to change what it rests on.',
)
export const prerequisiteNotFound = refusal(
  404,
  'prerequisite_not_found',
  'This exercise has no such prerequisite. GET /v1/exercises/{id}/prerequisites lists those it has.',
)
export const prerequisiteGone = refusal(
  422,
  'validation_failed',
  'The exercise in "prerequisite_exercise_id" was deleted meanwhile. Choose another.',
)

export const prerequisiteConstraints: Constraints = {
  exercise_prerequisites_cycle_check: prerequisiteCycle,
  exercise_prerequisites_pkey: prerequisiteExists,
  exercise_prerequisites_prerequisite_fkey: prerequisiteGone,
}
