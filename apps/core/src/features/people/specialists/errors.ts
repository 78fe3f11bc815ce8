import { type Constraints, refusal } from '@tendon/http'
import { invalidSlug, slugRequired, specialtyNotFound } from '../specialties/index.ts'

export const specialistNotFound = refusal(
  404,
  'specialist_not_found',
  'Your organization has no specialist with this id. List its specialists to see those it has.',
)
export const alreadyDeleted = refusal(409, 'already_deleted', 'This specialist is already deleted.')
export const timezoneLocked = refusal(
  400,
  'timezone_locked',
  'The time zone cannot be changed while the specialist has overrides of appointment types. Remove them first.',
)
const nameRequired = refusal(400, 'name_required', 'Give the specialist a name.')
const invalidTimezone = refusal(
  400,
  'invalid_timezone',
  'Write the time zone by its IANA name, such as Europe/Bucharest.',
)
export const slugExists = refusal(
  409,
  'slug_exists',
  'Another specialist of your organization has this slug. Choose another slug.',
)
const userNotFound = refusal(
  404,
  'user_not_found',
  'Your organization has no member with this human_id. Invite them first, or leave human_id out.',
)
export const userTaken = refusal(
  409,
  'user_taken',
  'Another specialist of your organization already has this human_id. Change that specialist, or choose another person.',
)

/** The fields with refusals of their own, in the order of the specification's table. */
export const specialistContent = {
  name: { missing: nameRequired },
  slug: { missing: slugRequired, invalid: invalidSlug },
  scheduling_timezone: { invalid: invalidTimezone },
  'specialty_ids.*': { invalid: specialtyNotFound },
}
export const specialistWrites = [
  nameRequired,
  slugRequired,
  invalidSlug,
  invalidTimezone,
  slugExists,
  userNotFound,
  userTaken,
  specialtyNotFound,
]

export const specialistConstraints: Constraints = {
  specialists_slug_key: slugExists,
  specialists_human_key: userTaken,
  specialists_human_id_fkey: userNotFound,
  specialists_member_fkey: userNotFound,
}
