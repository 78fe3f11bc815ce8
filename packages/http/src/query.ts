import {
  isObject,
  isUuid,
  LIST_LIMIT_DEFAULT,
  type List,
  type ListContract,
  MAX_LIST_LIMIT,
  MAX_PAGE,
  MAX_PICKER_LIMIT,
  PICKER_LIMIT_DEFAULT,
  type Picker,
  type Range,
} from '@tendon/contracts'
import { parseBound, type Side } from './date-range.ts'
import { problemOfText } from './json-body.ts'
import { validationFailed } from './refusals.ts'

// Lists are lenient: numbers clamp, unknown keys, ids and enumerated values drop. Only `sort` and dates are strict.

const MAX_Q_LENGTH = 200
const MAX_IDS = 500

type Query = Readonly<Record<string, unknown>>

/** The parameters as they were sent. */
export const queryOf = (query: unknown): Query => (isObject(query) ? query : {})

/** The position of the page in the list. */
export const pageOf = ({ page, limit }: List, total: number) => ({ page, limit, total })

export function parseList(contract: ListContract, query: unknown): List {
  const given = queryOf(query)
  const fields: Record<string, string> = {}
  const list: List = {
    page: clamp(given.page, 1, 1, MAX_PAGE, 1),
    limit: clamp(given.limit, LIST_LIMIT_DEFAULT, 1, MAX_LIST_LIMIT, MAX_LIST_LIMIT),
    sort: parseSort(contract, given, fields),
    filters: parseFilters(contract, given),
    ranges: parseRanges(contract, given, fields),
  }
  const q = contract.q ? textOf(given.q) : undefined
  if (q) list.q = q
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
  return list
}

export function parsePicker(query: unknown): Picker {
  const given = queryOf(query)
  const picker: Picker = { limit: clamp(given.limit, PICKER_LIMIT_DEFAULT, 1, MAX_PICKER_LIMIT, MAX_PICKER_LIMIT) }
  const q = textOf(given.q)
  if (given.ids !== undefined) picker.ids = parts(given.ids).filter(isUuid).slice(0, MAX_IDS)
  else if (q) picker.q = q
  return picker
}

/** What `include` asks for, of what there is. */
export function parseInclude<const Name extends string>(names: readonly Name[], query: unknown): Name[] {
  const asked = split(queryOf(query).include)
  return names.filter((name) => asked.includes(name))
}

/** `over` is what a value above `max` becomes: page falls back to 1, limit to its maximum. */
function clamp(value: unknown, missing: number, min: number, max: number, over: number): number {
  const text = last(value)
  if (text === undefined || !/^[+-]?\d+$/.test(text)) return missing
  const number = Number(text)
  if (number < min) return min
  return number > max ? over : number
}

function parseSort(contract: ListContract, query: Query, fields: Record<string, string>): List['sort'] {
  const sort: List['sort'] = []
  for (const part of split(query.sort)) {
    const descending = part.startsWith('-')
    const field = descending ? part.slice(1) : part
    if (!contract.sort.includes(field)) fields.sort = `can only contain ${contract.sort.join(', ')}`
    else if (!sort.some((known) => known.field === field)) sort.push({ field, descending })
  }
  return sort
}

function parseFilters(contract: ListContract, query: Query): List['filters'] {
  const filters: List['filters'] = {}
  for (const [name, kind] of Object.entries(contract.filters ?? {})) {
    const given = parts(query[name])
    if (given.length === 0) continue
    const known =
      kind === 'uuid'
        ? given.filter(isUuid).map((id) => id.toLowerCase())
        : kind === 'boolean'
          ? given.filter((value) => value === 'true' || value === 'false')
          : kind === 'text'
            ? given.filter((value) => value.length <= MAX_Q_LENGTH)
            : given.filter((value) => kind.includes(value))
    if (known.length > 0) filters[name] = known
  }
  return filters
}

function parseRanges(contract: ListContract, query: Query, fields: Record<string, string>): Range[] {
  const ranges: Range[] = []
  for (const column of contract.ranges ?? []) {
    const from = boundOf(query, column, 'after', fields)
    const to = boundOf(query, column, 'before', fields)
    if (from !== undefined || to !== undefined) {
      ranges.push({ column, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) })
    }
  }
  return ranges
}

function boundOf(query: Query, column: string, side: Side, fields: Record<string, string>): string | undefined {
  const name = `${column}_${side}`
  const text = last(query[name])
  if (text === undefined || text === '') return undefined
  const bound = parseBound(text, side)
  if (bound === undefined)
    fields[name] = 'must be a date (YYYY-MM-DD) or a time (RFC 3339, such as 2026-01-31T08:00:00Z)'
  return bound
}

const last = (value: unknown): string | undefined => {
  const one = Array.isArray(value) ? value.at(-1) : value
  return typeof one === 'string' ? one.trim() : undefined
}

function textOf(value: unknown): string | undefined {
  const text = last(value)
  if (!text || problemOfText(text)) return undefined
  const cut = text.slice(0, MAX_Q_LENGTH)
  return cut.isWellFormed() ? cut : cut.slice(0, -1) // not through the middle of a character
}

/** The parts of a comma-separated value, also when it is given several times. */
function split(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value])
    .filter((one) => typeof one === 'string')
    .flatMap((one) => one.split(','))
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

/** Like `split`, without values that the database would refuse. */
const parts = (value: unknown): string[] => split(value).filter((one) => !problemOfText(one))
