import { type Constraints, refusal } from '@tendon/http'

export const exerciseNotFound = refusal(
  404,
  'exercise_not_found',
  'There is no exercise with this id in the library of your clinic or of the platform. GET /v1/exercises lists those there are.',
)
export const platformExercise = refusal(
  403,
  'forbidden',
  'This exercise belongs to the platform, so only an operator of the platform (superadmin) may change it. Copy it with POST /v1/exercises/{id}/clone and change your copy.',
)
export const clinicExercise = refusal(
  403,
  'forbidden',
  'This exercise belongs to a clinic, and only that clinic can copy it. Only exercises of the platform can be copied on the platform.',
)
export const slugExists = refusal(
  409,
  'slug_exists',
  'Another exercise of the same library has this slug. Choose another slug.',
)
export const exerciseInUse = refusal(
  409,
  'exercise_in_use',
  'An active treatment plan contains this exercise. Remove it from the plan first, or archive the exercise instead.',
)
export const invalidTransition = refusal(
  409,
  'invalid_transition',
  'An exercise that is {from} cannot become {to}. A draft can be published, a published one archived, an archived one published or made a draft again.',
  { from: 'published', to: 'draft' },
)
export const notPublishable = refusal(
  422,
  'not_publishable',
  'Before it can be published, this exercise needs: {missing}.',
  { missing: ['at least one instruction'] },
)
const tagGone = refusal(
  422,
  'validation_failed',
  'A tag in the request no longer exists. Read the taxonomy again, then retry.',
)

export const exerciseConstraints: Constraints = {
  exercises_slug_key: slugExists,
  exercise_tags_tag_fkey: tagGone,
}
