import type { List, Picker } from '@tendon/contracts'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from './types.ts'

/** How a list's names map to SQL. Names without an entry are columns of the same name. */
export interface ListColumns {
  columns?: Record<string, string>
  /** Columns that `q` searches. */
  search?: string[]
  /** Breaks ties, so that pages neither repeat nor skip rows. */
  id?: string
  /** Default: newest first by creation time. */
  newest?: string
  /** Order when no sort is given, before the newest. */
  first?: readonly RawBuilder<unknown>[]
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`)

const matches = (columns: string[], q: string) =>
  sql<boolean>`(${sql.join(
    columns.map((column) => sql`unaccent(${sql.ref(column)}::text) ilike unaccent(${`%${escapeLike(q)}%`})`),
    sql` or `,
  )})`

/** Reads one page and the total of the same filter, as two statements that travel together. */
export async function readPage<Schema, Tables extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  list: List,
  columns: ListColumns = {},
): Promise<{ rows: Row[]; total: number }> {
  const { page, total } = preparePage(query, list, columns)
  const [rows, counted] = await Promise.all([page.execute(), total()])
  return { rows, total: counted }
}

/**
 * The page as a query, for a list that adds to each row what costs time: a value that the query itself selects is computed
 * for the rows of the pages before as well.
 */
export function preparePage<Schema, Tables extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  list: List,
  { columns = {}, search = [], id = 'id', newest = 'created_at', first = [] }: ListColumns = {},
) {
  const column = (name: string) => sql.ref(columns[name] ?? name)
  let filtered = query
  for (const [name, values] of Object.entries(list.filters)) {
    filtered = filtered.where(sql<boolean>`${column(name)}::text = any(${values})`)
  }
  for (const { column: name, from, to } of list.ranges) {
    if (from !== undefined) filtered = filtered.where(sql<boolean>`${column(name)} >= ${from}::timestamptz`)
    if (to !== undefined) filtered = filtered.where(sql<boolean>`${column(name)} <= ${to}::timestamptz`)
  }
  if (list.q !== undefined && search.length > 0) filtered = filtered.where(matches(search, list.q))

  /** In the order of the list; the query must have its columns. */
  function ordered<Of, Table extends keyof Of, Result>(
    rows: SelectQueryBuilder<Of, Table, Result>,
  ): SelectQueryBuilder<Of, Table, Result> {
    let sorted = rows
    for (const { field, descending } of list.sort) sorted = sorted.orderBy(column(field), descending ? 'desc' : 'asc')
    if (list.sort.length === 0) {
      for (const order of first) sorted = sorted.orderBy(order)
      sorted = sorted.orderBy(sql.ref(newest), 'desc')
    }
    return sorted.orderBy(sql.ref(id), 'desc')
  }

  return {
    page: ordered(filtered)
      .limit(list.limit)
      .offset((list.page - 1) * list.limit),
    ordered,
    async total(): Promise<number> {
      const counted = filtered.clearSelect().select(sql<number>`count(*)`.as('total'))
      const [row] = await counted.$castTo<{ total: number }>().execute()
      return row?.total ?? 0
    },
  }
}

/** Reads what a picker offers: the named ids, or what matches `q`, by name. */
export function readChoices<Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  picker: Picker,
  { search, id = 'id' }: { search: [string, ...string[]]; id?: string },
): Promise<Row[]> {
  let filtered = query
  if (picker.ids !== undefined) filtered = filtered.where(sql<boolean>`${sql.ref(id)} = any(${picker.ids}::uuid[])`)
  else if (picker.q !== undefined) filtered = filtered.where(matches(search, picker.q))
  return filtered.orderBy(sql.ref(search[0])).orderBy(sql.ref(id)).limit(picker.limit).execute()
}
