import { type Constraints, refusal } from '@tendon/http'

export const tagExists = refusal(
  409,
  'tag_exists',
  'This exercise has that tag already. Take it off first to change what it rests on.',
)
export const exerciseTagNotFound = refusal(
  404,
  'exercise_tag_not_found',
  'This exercise does not have that tag. GET /v1/exercises/{id} shows those it has.',
)

export const tagConstraints: Constraints = {
  exercise_tags_pkey: tagExists,
}
