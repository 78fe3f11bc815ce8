import { type Constraints, refusal } from '@tendon/http'

export const tagNotFound = refusal(
  404,
  'tag_not_found',
  'There is no value with this id on this axis. List the axis to see its values; deprecated=true lists deprecated ones.',
)
export const platformTag = refusal(
  403,
  'forbidden',
  'This value belongs to the platform, so only an operator of the platform (superadmin) may change it. Add one of your own instead.',
)
export const slugExists = refusal(
  409,
  'slug_exists',
  'Another value of this axis, possibly a deprecated one, has this slug. Choose another slug.',
)
export const parentNotFound = refusal(
  404,
  'parent_not_found',
  'There is no value of this axis with the id in "parent_id". List the axis to see which exist.',
)
export const parentCycle = refusal(
  409,
  'parent_cycle',
  'A value cannot be its own parent or the child of one of its descendants. Choose another parent.',
)
export const bodyRegionNotFound = refusal(
  404,
  'body_region_not_found',
  'There is no body region with the id in "body_region_id". List the body regions to see which exist.',
)
export const replacementNotFound = refusal(
  404,
  'replacement_not_found',
  'There is no value of this axis with the id in "replaced_by_id". Create the replacement first.',
)
export const replacementCycle = refusal(
  409,
  'replacement_cycle',
  'A value cannot be replaced by itself or by one that it replaces. Choose another replacement.',
)

export const taxonomyConstraints: Constraints = {
  taxonomy_tags_slug_key: slugExists,
  taxonomy_tags_parent_fkey: parentNotFound,
  taxonomy_tags_parent_cycle_check: parentCycle,
  taxonomy_tags_body_region_fkey: bodyRegionNotFound,
  taxonomy_tags_replaced_by_fkey: replacementNotFound,
  taxonomy_tags_replaced_by_cycle_check: replacementCycle,
}
