import { type Constraints, refusal } from '@tendon/http'

export const programNotFound = refusal(
  404,
  'program_not_found',
  'Your clinic has no program with this id. GET /v1/programs lists those it has.',
)
export const programNameTaken = refusal(
  409,
  'program_name_taken',
  'Another program of your clinic has this name. Choose another name.',
)
export const invalidTransition = refusal(
  409,
  'invalid_transition',
  'A program that is {from} cannot become {to}. An active one can be archived, an archived one made active again.',
  { from: 'archived', to: 'archived' },
)
const exerciseGone = refusal(
  422,
  'validation_failed',
  'An exercise in the request does not exist or is not published. GET /v1/exercises lists the exercises.',
)

export const programConstraints: Constraints = {
  programs_name_key: programNameTaken,
  session_exercises_exercise_fkey: exerciseGone,
}
