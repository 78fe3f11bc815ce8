/** A page of a list, whichever of the API's list shapes it came in. */
export interface List<Item> {
  items: Item[]
  total: number
  page: number
  pageSize: number
}

/** The rows of a list answer: the answer itself, or its only member that is an array. */
export type ItemOf<Answer> = Answer extends readonly (infer Item)[]
  ? Item
  : { [Key in keyof Answer]: Answer[Key] extends readonly (infer Item)[] ? Item : never }[keyof Answer]

interface Counts {
  page?: number
  limit?: number
  per_page?: number
  total?: number
}

/** `{data, pagination}`, `{exercises, total, page, limit}`, `{members, pagination: {per_page}}`, `{segments}` or an array. */
export function listOf<Answer extends object>(answer: Answer): List<ItemOf<Answer>> {
  const found = Array.isArray(answer) ? answer : Object.values(answer).find((member) => Array.isArray(member))
  const items = (found ?? []) as ItemOf<Answer>[]
  const { page, limit, per_page, total }: Counts = (answer as { pagination?: Counts }).pagination ?? answer
  return { items, total: total ?? items.length, page: page ?? 1, pageSize: limit ?? per_page ?? items.length }
}
