// RFC 4180. A text cell that a spreadsheet would read as a formula gets a leading apostrophe.

const STARTS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NEEDS_QUOTES = /[",\r\n]/

export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(text: string): string {
  const harmless = STARTS_FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

interface Schema {
  type?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** The columns of a row's contract: its members in order; those of an object one level down are named `patient.name`. */
function columnsOf({ properties = {} }: Schema): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = objectIn(schema)?.properties
    return inner ? Object.keys(inner).map((part) => [name, part]) : [[name]]
  })
}

const objectIn = (schema: Schema): Schema | undefined =>
  schema.properties ? schema : schema.anyOf?.find(({ properties }) => properties)

export interface ListContract {
  /** The member of the answer with the rows. */
  member: string
  rows: Schema
}

const PAGE_MEMBERS = new Set(['pagination', 'total', 'page', 'limit', 'total_pages'])
const PICKER = /\/picker$/

/** The contract of a list: its only member with rows, `data` or named for them (`{exercises, total}`, `{fields}`). */
function listContract(response: unknown): ListContract | undefined {
  const { properties = {} } = (response ?? {}) as Schema
  const [member, ...more] = Object.keys(properties).filter((name) => !PAGE_MEMBERS.has(name))
  if (member === undefined || more.length > 0) return undefined
  const items = properties[member]?.items
  const rows = items && objectIn(items)
  return rows && { member, rows }
}

/** The list that the route answers as CSV too: every list but public ones and pickers, which suggest and do not list. */
export function csvListOf({ method, url = '', config, schema }: CsvRoute): ListContract | undefined {
  if (method !== 'GET' || PICKER.test(url) || config?.access === undefined || config.access.kind === 'public')
    return undefined
  return listContract((schema?.response as Record<string, unknown> | undefined)?.['200'])
}

interface CsvRoute {
  method: unknown
  url?: string | undefined
  config?: { access?: { kind: string } } | undefined
  schema?: { response?: unknown } | undefined
}

export function csvOf(contract: Schema, rows: readonly Record<string, unknown>[]): string {
  const columns = columnsOf(contract)
  const header = csvLine(columns.map((path) => path.join('.')))
  return header + rows.map((row) => csvRow(columns, row)).join('')
}

/** Only text is escaped, because numbers and booleans cannot be formulas. */
const csvRow = (columns: readonly string[][], row: Record<string, unknown>): string =>
  `${columns.map((path) => cellOf(valueAt(path, row))).join(',')}\r\n`

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return csvCell(typeof value === 'string' ? value : JSON.stringify(value))
}

function valueAt([name = '', part]: readonly string[], row: Record<string, unknown>): unknown {
  const value = row[name]
  if (part === undefined) return value
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : null
}

/** Whether the client asks for CSV by name and does not accept JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((one) => (one.split(';', 1)[0] ?? '').trim().toLowerCase())
  return types.includes('text/csv') && !types.includes('application/json')
}
