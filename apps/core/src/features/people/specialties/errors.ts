import { type Constraints, refusal } from '@tendon/http'

export const specialtyNotFound = refusal(
  404,
  'specialty_not_found',
  'Your organization has no specialty with this id. List its specialties to see those it has.',
)
const titleRequired = refusal(400, 'title_required', 'Give the specialty a title.')
export const slugRequired = refusal(400, 'slug_required', 'Give a slug: the name as it appears in URLs.')
export const invalidSlug = refusal(
  400,
  'invalid_slug',
  'Write the slug in lower-case letters and digits, with hyphens between them, such as ana-ionescu.',
)
const specialtySlugExists = refusal(
  409,
  'slug_exists',
  'Another specialty of your organization has this slug. Choose another slug.',
)

export const specialtyContent = {
  title: { missing: titleRequired },
  slug: { missing: slugRequired, invalid: invalidSlug },
}
export const specialtyWrites = [titleRequired, slugRequired, invalidSlug, specialtySlugExists]

export const specialtyConstraints: Constraints = {
  specialties_slug_key: specialtySlugExists,
  specialist_specialties_specialty_fkey: specialtyNotFound,
}
