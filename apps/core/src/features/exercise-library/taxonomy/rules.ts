import type { ShownTaxonomyTag, TaxonomyTag, TaxonomyTagChanges } from '@tendon/contracts'

/** The stored spelling: "m545" and "M54.5" become M54.5. */
function icd10Code(given: string): string {
  const bare = given.replace('.', '').toUpperCase()
  return bare.length > 3 ? `${bare.slice(0, 3)}.${bare.slice(3)}` : bare
}

/** One spelling of what people type. */
export function spelled<Values extends TaxonomyTagChanges>(values: Values): Values {
  return {
    ...values,
    ...(values.name === undefined ? {} : { name: values.name.normalize().trim() }),
    ...(values.icd10_code == null ? {} : { icd10_code: icd10Code(values.icd10_code) }),
  }
}

/** The meaning of a value cannot change, because exercises and patient records refer to it. */
const CANONICAL = ['slug', 'name', 'icd10_code'] as const
const CANNOT_CHANGE = 'cannot be changed: create a replacement, then deprecate this one with its id in replaced_by_id'

/** The canonical fields that a change would touch, each with its reason. Sending the current value is not a change. */
export function problemsOfChange(tag: TaxonomyTag, changes: TaxonomyTagChanges): Record<string, string> {
  const touched = CANONICAL.filter((field) => changes[field] !== undefined && changes[field] !== tag[field])
  return Object.fromEntries(touched.map((field) => [field, CANNOT_CHANGE]))
}

export function withoutCanonical({ slug: _slug, name: _name, icd10_code: _code, ...changes }: TaxonomyTagChanges) {
  return changes
}

/**
 * Categories in their places, each with its `children`: those under `parents`, or without them the top ones. Whatever
 * has a parent that is not among the rows (another scope, deprecated) stands at the top.
 */
export function treeOf(rows: readonly TaxonomyTag[], parents?: readonly string[]): ShownTaxonomyTag[] {
  const known = new Set(rows.map(({ id }) => id))
  const below = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const withChildren = (tag: TaxonomyTag): ShownTaxonomyTag => ({
    ...tag,
    children: (below.get(tag.id) ?? []).map(withChildren),
  })
  const isTop = ({ parent_id }: TaxonomyTag) =>
    parents ? parent_id !== null && parents.includes(parent_id) : parent_id === null || !known.has(parent_id)
  return rows.filter(isTop).map(withChildren)
}
