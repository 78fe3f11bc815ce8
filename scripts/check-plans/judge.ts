import { buffersOf, type Explained, sequentialScans, textOf } from './plan.ts'

/** What one request of a hot route made the database do. */
export interface Cost {
  roundTrips: number
  statements: Explained[]
  /** Why there was no answer, such as a statement timeout. */
  failure?: string
}

export interface Measured {
  route: string
  budget: number
  /** The same request to the same clinic, beside few and beside many others. */
  few: Cost
  many: Cost
}

interface WholeTable {
  table: string
  /** Why it may be read from its beginning to its end. */
  reason: string
}

interface Growing {
  route: string
  /** A part of its text. */
  statement: string
  /** More than these are still too many. */
  pages: number
  /** Why it may read more beside more clinics. */
  reason: string
}

export interface Exceptions {
  wholeTables: readonly WholeTable[]
  growing: readonly Growing[]
}

/** A table of a clinic's settings is read as a whole while it is a handful of pages: an index would not be faster. */
const MAX_ROWS_SCANNED = 500
/** With ten times as many clinics an index of two levels grows to three, so it reads at most half as many again. */
const MAX_GROWTH = 1.6
const FREE_PAGES = 100
const SHOWN_TEXT = 300

/** What is wrong, as sentences. */
export function judge(
  { route, budget, few, many }: Measured,
  tenantTables: ReadonlySet<string>,
  { wholeTables, growing }: Exceptions,
): string[] {
  const excepted = new Set(wholeTables.map(({ table }) => table))
  const found: string[] = []
  for (const failure of new Set([few.failure, many.failure]))
    if (failure !== undefined) found.push(`${route}: ${failure}`)
  if (many.roundTrips > budget)
    found.push(`${route}: ${many.roundTrips} round trips to the database; the budget is ${budget}`)
  for (const statement of many.statements)
    for (const { table, rows } of sequentialScans(statement))
      if (tenantTables.has(table) && !excepted.has(table) && rows > MAX_ROWS_SCANNED)
        found.push(`${route}: reads all ${rows} rows of ${table}: ${shown(textOf(statement))}`)
  const before = pagesByText(few)
  for (const [text, pages] of pagesByText(many)) {
    const beside = before.get(text)
    const known = growing.find((one) => one.route === route && text.includes(one.statement))
    const most = Math.max((beside ?? pages) * MAX_GROWTH + FREE_PAGES, known?.pages ?? 0)
    if (pages > most) found.push(`${route}: ${beside} pages with few other clinics, ${pages} with many: ${shown(text)}`)
  }
  return [...new Set(found)]
}

/** A statement may run several times in one request. */
function pagesByText({ statements }: Cost): Map<string, number> {
  const sums = new Map<string, number>()
  for (const statement of statements) {
    const text = textOf(statement)
    sums.set(text, (sums.get(text) ?? 0) + buffersOf(statement))
  }
  return sums
}

const shown = (text: string): string => (text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT)} …` : text)
