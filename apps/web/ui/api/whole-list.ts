import { ApiError, type List } from '@tendon/sdk'

/** The largest page of the API. */
export const MAX_PAGE_ROWS = 500
/** A list that changes while it is read is read again this often. */
const MAX_ATTEMPTS = 3

const keyOf = (row: unknown): unknown =>
  typeof row === 'object' && row !== null && 'id' in row ? row.id : JSON.stringify(row)

/**
 * Reads a list page by page to its end, or fails: a part of a list must not be shown as the list. When a row comes, goes or
 * moves meanwhile, the total or the number of different rows differs, and the list is read again.
 */
export async function wholeList<Item>(read: (page: number) => Promise<List<Item>>): Promise<List<Item>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const rows = new Map<unknown, Item>()
    const { total, pageSize, items } = await read(1)
    for (const row of items) rows.set(keyOf(row), row)
    let isSame = true
    for (let page = 2; isSame && (page - 1) * pageSize < total; page++) {
      const next = await read(page)
      for (const row of next.items) rows.set(keyOf(row), row)
      isSame = next.total === total
    }
    if (isSame && rows.size === total) return { items: [...rows.values()], total, page: 1, pageSize: total }
  }
  throw new ApiError(409, {
    error: { code: 'list_changed', message: 'The list changed while it was read. Try again.' },
  })
}
