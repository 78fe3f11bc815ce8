import { isObject } from '@tendon/contracts'
import { stringify } from 'csv-stringify/sync'
import { answerContract, type JsonSchema } from './json-schema.ts'

// RFC 4180. A text cell that a spreadsheet would read as a formula gets a leading apostrophe.

const STARTS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Only text is escaped, because numbers and booleans cannot be formulas. */
const FORMAT = {
  record_delimiter: 'windows',
  quoted_match: /[\r\n]/,
  cast: {
    string: (text: string) => (STARTS_FORMULA.test(text) ? `'${text}` : text),
    boolean: String,
  },
} as const

export const csvLine = (cells: readonly string[]): string => stringify([cells], FORMAT)

/** The columns of a row's contract: its members in order; those of an object one level down are named `patient.name`. */
function columnsOf({ properties = {} }: JsonSchema): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = objectIn(schema)?.properties
    return inner ? Object.keys(inner).map((part) => [name, part]) : [[name]]
  })
}

const objectIn = (schema: JsonSchema): JsonSchema | undefined =>
  schema.properties ? schema : schema.anyOf?.find(({ properties }) => properties)

export interface ListContract {
  /** The member of the answer with the rows. */
  member: string
  rows: JsonSchema
}

const PAGE_MEMBERS = new Set(['pagination', 'total', 'page', 'limit', 'total_pages'])
const PICKER = /\/picker$/

/** The contract of a list: its only member with rows, `data` or named for them (`{exercises, total}`, `{fields}`). */
function listContract({ properties = {} }: JsonSchema): ListContract | undefined {
  const [member, ...more] = Object.keys(properties).filter((name) => !PAGE_MEMBERS.has(name))
  if (member === undefined || more.length > 0) return undefined
  const items = properties[member]?.items
  const rows = typeof items === 'object' ? objectIn(items) : undefined
  return rows && { member, rows }
}

/** The list that the route answers as CSV too: every list but public ones and pickers, which suggest and do not list. */
export function csvListOf({ method, url = '', config, schema }: CsvRoute): ListContract | undefined {
  if (method !== 'GET' || PICKER.test(url) || config?.access === undefined || config.access.kind === 'public')
    return undefined
  return listContract(answerContract(schema?.response, '200') ?? {})
}

interface CsvRoute {
  method: unknown
  url?: string | undefined
  config?: { access?: { kind: string } } | undefined
  schema?: { response?: unknown } | undefined
}

export function csvOf(contract: JsonSchema, rows: readonly Record<string, unknown>[]): string {
  const columns = columnsOf(contract)
  const header = columns.map((path) => path.join('.'))
  return stringify([header, ...rows.map((row) => columns.map((path) => cellOf(valueAt(path, row))))], FORMAT)
}

function cellOf(value: unknown): string | number | boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

function valueAt([name = '', part]: readonly string[], row: Record<string, unknown>): unknown {
  const value = row[name]
  if (part === undefined) return value
  return isObject(value) ? value[part] : null
}

/** Whether the client asks for CSV by name and does not accept JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((one) => (one.split(';', 1)[0] ?? '').trim().toLowerCase())
  return types.includes('text/csv') && !types.includes('application/json')
}
