import { type Constraints, refusal } from '@tendon/http'

export const tagNotFound = refusal(
  404,
  'tag_not_found',
  'There is no such value on this axis. List the axis to see those there are; deprecated ones show with deprecated=true.',
)
export const platformTag = refusal(
  403,
  'forbidden',
  'This value belongs to the platform, so only an operator of the platform (superadmin) may change it. Add one of your own instead.',
)
export const slugExists = refusal(
  409,
  'slug_exists',
  'Another value of this axis has this slug, perhaps a deprecated one. Choose another slug.',
)
export const parentNotFound = refusal(
  404,
  'parent_not_found',
  'There is no category with the id in "parent_id". List the categories to see those there are.',
)
export const parentCycle = refusal(
  409,
  'parent_cycle',
  'A category cannot stand under itself or under one of those below it. Choose another parent.',
)
export const bodyRegionNotFound = refusal(
  404,
  'body_region_not_found',
  'There is no body region with the id in "body_region_id". List the body regions to see those there are.',
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
