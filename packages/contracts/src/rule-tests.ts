import { shiftDay } from './rule-days.ts'
import type { RelativeTime, RuleOperator, RuleValueKind } from './segments.ts'

// The meaning of operators, shared by segments and automations. An operator becomes one of five tests, and a flag that
// negates the result.

export interface Bound {
  at: number | string
  /** Excludes the bound itself. */
  open: boolean
}

export type Test =
  | { is: 'set' }
  | { is: 'one_of'; texts: string[] }
  | { is: 'like'; how: 'contains' | 'starts_with' | 'ends_with'; folded: string }
  | { is: 'within'; from?: Bound; to?: Bound }
  | { is: 'chosen'; how: 'any' | 'all'; options: string[] }

export const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** The format of a stored day, even one that does not exist in the calendar. The database checks the same pattern. */
export const DAY_PATTERN = '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'

const NEGATIVE: Readonly<Record<string, string>> = {
  neq: 'eq',
  not_contains: 'contains',
  not_in: 'in',
  not_between: 'between',
  not_in_last: 'in_last',
  is_not_set: 'is_set',
}

export interface Asked {
  op: RuleOperator
  value?: unknown
}

/** The test of a rule, and whether its result is negated. `today` is the day in the clinic's time zone. */
export function testOf({ op, value }: Asked, kind: RuleValueKind, today: string): { test: Test; negated: boolean } {
  const positive = NEGATIVE[op]
  return { test: positiveTest(positive ?? op, kind, value, today), negated: positive !== undefined }
}

function positiveTest(op: string, kind: RuleValueKind, value: unknown, today: string): Test {
  const one = value as number | string
  const many = [value].flat() as string[]
  const relative = value as RelativeTime
  const closed = (at: number | string | undefined): Bound => ({ at: at ?? '', open: false })
  const open = (at: number | string): Bound => ({ at, open: true })
  switch (op) {
    case 'is_set':
      return { is: 'set' }
    case 'eq':
      return kind === 'number' || kind === 'date'
        ? { is: 'within', from: closed(one), to: closed(one) }
        : { is: 'one_of', texts: many }
    case 'in':
      return { is: 'one_of', texts: many }
    case 'contains':
      return kind === 'choices'
        ? { is: 'chosen', how: 'any', options: many }
        : { is: 'like', how: 'contains', folded: fold(String(value)) }
    case 'starts_with':
    case 'ends_with':
      return { is: 'like', how: op, folded: fold(String(value)) }
    case 'contains_any':
      return { is: 'chosen', how: 'any', options: many }
    case 'contains_all':
      return { is: 'chosen', how: 'all', options: many }
    case 'gt':
    case 'after':
      return { is: 'within', from: open(one) }
    case 'gte':
      return { is: 'within', from: closed(one) }
    case 'lt':
    case 'before':
      return { is: 'within', to: open(one) }
    case 'lte':
      return { is: 'within', to: closed(one) }
    case 'between':
      return { is: 'within', from: closed(many[0]), to: closed(many[1]) }
    case 'in_last':
      return { is: 'within', from: closed(shiftDay(today, relative, -1)), to: closed(today) }
    case 'in_next':
      return { is: 'within', from: closed(today), to: closed(shiftDay(today, relative, 1)) }
    default:
      throw new Error(`no operator ${op}`)
  }
}

const DAY = new RegExp(DAY_PATTERN)

type Value = string | number | unknown[]

/** Converts a stored value to this kind; undefined when it is unset. */
export function readAs(kind: RuleValueKind, value: unknown): Value | undefined {
  if (kind === 'number') return typeof value === 'number' ? value : undefined
  if (kind === 'choices') return Array.isArray(value) && value.length > 0 ? value : undefined
  if (typeof value !== 'string' || value === '') return undefined
  return kind === 'date' && !DAY.test(value) ? undefined : value
}

/** The value has the kind of its condition; see readAs. */
export function passes(test: Test, value: Value | undefined): boolean {
  if (value === undefined) return false
  if (test.is === 'one_of') return test.texts.includes(value as string)
  if (test.is === 'like') return isLike(test, fold(value as string))
  if (test.is === 'within') return isWithin(test, value as string | number)
  if (test.is === 'chosen') return isChosen(test, new Set(value as unknown[]))
  return true
}

function isLike({ how, folded }: Extract<Test, { is: 'like' }>, text: string): boolean {
  if (how === 'contains') return text.includes(folded)
  return how === 'starts_with' ? text.startsWith(folded) : text.endsWith(folded)
}

const isChosen = ({ how, options }: Extract<Test, { is: 'chosen' }>, chosen: ReadonlySet<unknown>) =>
  how === 'any' ? options.some((one) => chosen.has(one)) : options.every((one) => chosen.has(one))

const isWithin = ({ from, to }: Extract<Test, { is: 'within' }>, value: string | number) =>
  (from === undefined || (from.open ? value > from.at : value >= from.at)) &&
  (to === undefined || (to.open ? value < to.at : value <= to.at))
