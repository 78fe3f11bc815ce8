import { type Constraints, refusal } from '@tendon/http'

export const tagExists = refusal(
  409,
  'tag_exists',
  'This exercise already has that tag. Remove it first to change its clinical basis.',
)
export const exerciseTagNotFound = refusal(
  404,
  'exercise_tag_not_found',
  'This exercise does not have that tag. GET /v1/exercises/{id} lists its tags.',
)

export const tagConstraints: Constraints = {
  exercise_tags_pkey: tagExists,
}
