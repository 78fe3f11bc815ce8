import { type Constraints, refusal } from '@tendon/http'

export const prerequisiteCycle = refusal(
  409,
  'prerequisite_cycle',
  'This prerequisite would be circular: it requires this exercise, directly or through others. Remove that prerequisite, or choose another.',
)
export const prerequisiteExists = refusal(
  409,
  'prerequisite_exists',
  'This exercise already has that prerequisite. Remove it first to change its clinical basis.',
)
export const prerequisiteNotFound = refusal(
  404,
  'prerequisite_not_found',
  'This exercise has no such prerequisite. GET /v1/exercises/{id}/prerequisites lists those it has.',
)
export const prerequisiteGone = refusal(
  422,
  'validation_failed',
  'The exercise in "prerequisite_exercise_id" has been deleted. Choose another.',
)

export const prerequisiteConstraints: Constraints = {
  exercise_prerequisites_cycle_check: prerequisiteCycle,
  exercise_prerequisites_pkey: prerequisiteExists,
  exercise_prerequisites_prerequisite_fkey: prerequisiteGone,
}
