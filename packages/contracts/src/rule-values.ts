import { isDay } from './rule-days.ts'
import {
  MAX_SEGMENT_AMOUNT,
  MAX_SEGMENT_TEXT_LENGTH,
  MAX_SEGMENT_VALUES,
  RULE_UNITS,
  type RuleValueKind,
} from './segments.ts'

const LISTS = ['in', 'not_in', 'contains_any', 'contains_all']
const PAIRS = ['between', 'not_between']
const RELATIVE = ['in_last', 'not_in_last', 'in_next']

/** What is wrong with the value of a rule, or undefined. */
export function problemOfValue(op: string, kind: RuleValueKind, value: unknown): string | undefined {
  if (op === 'is_set' || op === 'is_not_set')
    return value === undefined ? undefined : 'must be left out for this operator'
  if (value === undefined) return 'is required'
  if (LISTS.includes(op)) {
    const fits = Array.isArray(value) && value.length > 0 && value.length <= MAX_SEGMENT_VALUES && value.every(isText)
    return fits
      ? undefined
      : `must be a list of 1 to ${MAX_SEGMENT_VALUES} texts, each of 1 to ${MAX_SEGMENT_TEXT_LENGTH} characters`
  }
  if (PAIRS.includes(op)) {
    const isOne = kind === 'number' ? isNumber : isDay
    const fits = Array.isArray(value) && value.length === 2 && value.every(isOne) && value[0] <= value[1]
    return fits
      ? undefined
      : `must be [from, to], two ${kind === 'number' ? 'numbers' : 'dates (YYYY-MM-DD)'}, the smaller one first`
  }
  if (RELATIVE.includes(op))
    return isRelative(value)
      ? undefined
      : `must be {"amount": 1 to ${MAX_SEGMENT_AMOUNT}, "unit": "${RULE_UNITS.join('" or "')}"}`
  if (kind === 'number') return isNumber(value) ? undefined : 'must be a number'
  if (kind === 'date') return isDay(value) ? undefined : 'must be a date (YYYY-MM-DD)'
  return isText(value) ? undefined : `must be text of 1 to ${MAX_SEGMENT_TEXT_LENGTH} characters`
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && lengthOf(value) <= MAX_SEGMENT_TEXT_LENGTH
const isRelative = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).length === 2 &&
  Number.isInteger(value.amount) &&
  Number(value.amount) >= 1 &&
  Number(value.amount) <= MAX_SEGMENT_AMOUNT &&
  isOneOf(RULE_UNITS, value.unit)

/** In characters, as schemas count them. */
export const lengthOf = (text: string) => Array.from(text).length
/** A JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isOneOf = (values: readonly string[], value: unknown) =>
  typeof value === 'string' && values.includes(value)
